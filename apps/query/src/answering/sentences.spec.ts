import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoSentences } from './sentences.js';

function listTexts(passage: string): string[] {
  return splitIntoSentences(passage).map(({ text }) => text);
}

describe('splitting a passage into sentences', () => {
  it('finds sentences across line breaks, in any language', () => {
    expect(listTexts('The warranty lasts\ntwo years. It covers\nwater.')).toEqual([
      'The warranty lasts two years.',
      'It covers water.',
    ]);
    expect(listTexts('保証は二年間です。水濡れも対象です。')).toEqual(['保証は二年間です。', '水濡れも対象です。']);
  });

  it('does not split after an initial or a short abbreviation', () => {
    expect(listTexts('It was built by Dr. J. Smith in 1900. It burnt down.')).toEqual([
      'It was built by Dr. J. Smith in 1900.',
      'It burnt down.',
    ]);
  });

  it('returns the headings, list items and table rows of Markdown without their markup', () => {
    const passage =
      '## Prices ##\n\n| plan | price |\n|---|---|\n| Pro | 20 € |\n\nAlso:\n- one\n  more\n- two\n1. three';
    expect(splitIntoSentences(passage)).toEqual([
      { text: 'Prices', isLeadIn: true, isLine: true },
      { text: 'plan | price', isLeadIn: false, isLine: true },
      { text: 'Pro | 20 €', isLeadIn: false, isLine: true },
      { text: 'Also:', isLeadIn: true, isLine: true },
      { text: 'one more', isLeadIn: false, isLine: true },
      { text: 'two', isLeadIn: false, isLine: true },
      { text: 'three', isLeadIn: false, isLine: true },
    ]);
  });

  it.each(['How long is it?', '保証は何年ですか？', 'كم المدة؟', 'Hours:'])('marks %j as a lead-in', (text) => {
    expect(splitIntoSentences(text)[0]?.isLeadIn).toBe(true);
  });

  it('splits text without full stops at the maximum length of a sentence', () => {
    const parts = listTexts('word '.repeat(300));
    expect(parts.every((part) => part.length <= 400)).toBe(true);
    expect(parts.join(' ')).toBe('word '.repeat(300).trim());
  });

  it('returns every word of plain text, in order, without splitting surrogate pairs', () => {
    const word = fc.constantFrom('one', 'Two', 'three.', '四。', '🙂', 'St.', 'five?', '🙂'.repeat(450));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const found = listTexts(words.join(' '));
        expect(found.join('').replace(/\s/g, '')).toBe(words.join(''));
        expect(found.every((text) => text.isWellFormed())).toBe(true);
      }),
    );
  });
});
