import { countTokens } from '@quarry/text-analysis/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { assemblePrompt, type Prompt } from './build-prompt.js';
import { estimatePromptTokens, WellFormedText } from './generate-reply.js';

const WORDS = ['warranty', ' ', ' two', '.', '\n', '!)', '42', '保証', '<source', '<|im_end|>', '</knowledge>', '…\n'];

describe('estimatePromptTokens', () => {
  const buildPrompt = (texts: readonly string[], budget: number, userPrompt?: string): Prompt => {
    const sources = texts.map((text) => createScoredFragment(text, { context: 'Terms > Warranty', page: 12 }));
    return assemblePrompt({ query: 'How long?', history: [], sources, userPrompt, restrictToKnowledge: true }, budget);
  };
  const countPrompt = ({ system = '', messages }: Prompt): number =>
    countTokens([system, ...messages.map(({ text }) => text)].join('\n'));

  it('estimatePromptTokens returns the exact token count of a prompt, for any sources, and for any position of `{context}` in `userPrompt`', () => {
    const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => `It ${words.join('')}`);
    const userPrompt = fc.constantFrom(undefined, 'Q: {query} K: {context}!', '{context}{context}');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.constantFrom(60, 10_000), userPrompt, (texts, budget, user) => {
        const prompt = buildPrompt(texts, budget, user);
        expect(estimatePromptTokens(prompt)).toBe(countPrompt(prompt));
      }),
    );
  });

  it('estimatePromptTokens returns the exact token count of a prompt whose sources have more than 32,000 characters', () => {
    const passage = 'The warranty lasts two years and covers water damage. '.repeat(40);
    const prompt = buildPrompt(
      Array.from({ length: 16 }, (_, at) => `${at} ${passage}`),
      12_000,
    );
    expect(prompt.sources).toHaveLength(16);
    expect(estimatePromptTokens(prompt)).toBe(countPrompt(prompt));
  });
});

describe('WellFormedText', () => {
  it('WellFormedText returns the same well-formed text, however the input is divided into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('\n', '\r', '\uFEFF', ' '), fc.string({ unit: 'binary', maxLength: 5 }))),
        (parts) => {
          const units = parts.join('').split('');
          const text = new WellFormedText();
          const pieces = units.map((unit) => text.pushText(unit));
          expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
          const expected = units
            .join('')
            .replaceAll('\uFEFF', '')
            .replace(/^[\r\n]+/, '')
            .toWellFormed();
          expect(pieces.join('') + text.endText()).toBe(expected);
        },
      ),
    );
  });

  it('WellFormedText replaces an unpaired surrogate with U+FFFD', () => {
    const text = new WellFormedText();
    expect([text.pushText('a\ud83d'), text.pushText('\ude42b\udc00'), text.pushText('\ud83d'), text.endText()]).toEqual(
      ['a', '🙂b\ufffd', '', '\ufffd'],
    );
  });
});
