import fc from 'fast-check';
import { countTokens as countByteTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { countTokens } from './count-tokens.js';

const words = fc.array(fc.constantFrom('the', 'heron,', ' ', '\n', 'wades\t', '42', '水', '\u00a0'), { maxLength: 60 });
const letters = fc.string({
  unit: fc.constantFrom('a', 't', 'h', 'e', 'é', '水', '𝒜'),
  minLength: 190,
  maxLength: 700,
});
const signs = fc.string({ unit: fc.constantFrom('=', '-', '…', '>'), minLength: 190, maxLength: 500 });
const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0'), minLength: 190, maxLength: 500 });

/**
 * Adds up the tokens of the parts of a text. Each part except the last ends with a sequence of 200 characters of one
 * kind.
 */
function countTokensInParts(text: string): number {
  const parts = text.split(/(\p{L}{200}|[^\s\p{L}\p{N}]{200}|\s{200})/u);
  // Joins each sequence with the text before it, as `countTokens` does.
  const merged = parts.reduce<string[]>((all, part, at) => {
    if (at % 2 === 1) all[all.length - 1] = (all.at(-1) ?? '') + part;
    else all.push(part);
    return all;
  }, []);
  return merged.reduce((sum, part) => sum + countByteTokens(part), 0);
}

describe('countTokens', () => {
  it('countTokens counts a long sequence of one kind of character in parts of 200 characters, and any other text as a whole', () => {
    const part = fc.oneof(
      words.map((all) => all.join('')),
      letters,
      signs,
      spaces,
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const text = parts.join('');
        expect(countTokens(text)).toBe(countTokensInParts(text));
      }),
    );
  });

  it('countTokens treats special tokens of the model as text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });
});
