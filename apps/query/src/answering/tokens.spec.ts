import { countTokens } from '@quarry/text-analysis/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, truncateToTokens } from './tokens.js';

const ROWS = Array.from(
  { length: 60 },
  (_, at) => `| ${1_000 + at * 37} | ${(at * 13.37).toFixed(2)} | SKU-${at * 7919} |`,
);
const IDS = Array.from({ length: 60 }, (_, at) => `${(at * 2_654_435_761).toString(16)}-${(at * 40_503).toString(36)}`);

describe('estimateTokens and truncateToTokens', () => {
  it.each([
    ['a table', ROWS.join('\n')],
    ['ids', IDS.join('\n')],
    ['Chinese', '保证期为自购买之日起两年，涵盖所有国家的水损坏。'.repeat(20)],
    ['Hindi', 'वारंटी खरीद की तारीख से दो साल तक चलती है। '.repeat(20)],
    ['a very long table', ROWS.join('\n').repeat(40)],
  ])('estimateTokens estimates at least as many tokens as the tokenizer counts for %s', (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
  });

  it('estimateTokens returns the exact token count of a short sentence', () => {
    expect(estimateTokens('The warranty lasts two years.')).toBe(6);
  });

  it('truncateToTokens shortens a text to the given number of tokens, or to slightly fewer', () => {
    const texts = fc.array(fc.oneof(fc.constantFrom(...ROWS, ...IDS), fc.string({ unit: 'grapheme' })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 400 }), (parts, limit) => {
        const text = parts.join(' ');
        const { text: prefix, tokens } = truncateToTokens(text, limit);
        expect(tokens).toBe(countTokens(prefix));
        expect(text.startsWith(prefix)).toBe(true);
        expect(prefix.isWellFormed() || !text.isWellFormed()).toBe(true);
        expect(countTokens(prefix)).toBeLessThanOrEqual(limit);
        if (countTokens(text) <= limit && text.length <= limit * 12) expect(prefix).toBe(text);
      }),
    );
    expect(truncateToTokens(ROWS.join('\n'), 200).tokens).toBeGreaterThan(180);
  });
});
