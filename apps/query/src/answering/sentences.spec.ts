import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from './sentences.js';

function texts(passage: string): string[] {
  return sentencesOf(passage).map(({ text }) => text);
}

describe('the sentences of a passage', () => {
  it('are found across line breaks, in any language', () => {
    expect(texts('The warranty lasts\ntwo years. It covers\nwater.')).toEqual([
      'The warranty lasts two years.',
      'It covers water.',
    ]);
    expect(texts('保証は二年間です。水濡れも対象です。')).toEqual(['保証は二年間です。', '水濡れも対象です。']);
  });

  it('do not end after an initial or a short abbreviation', () => {
    expect(texts('It was built by Dr. J. Smith in 1900. It burnt down.')).toEqual([
      'It was built by Dr. J. Smith in 1900.',
      'It burnt down.',
    ]);
  });

  it('are the headings, items and rows of Markdown, without their markup', () => {
    const passage =
      '## Prices ##\n\n| plan | price |\n|---|---|\n| Pro | 20 € |\n\nAlso:\n- one\n  more\n- two\n1. three';
    expect(sentencesOf(passage)).toEqual([
      { text: 'Prices', isLeadIn: true, isLine: true },
      { text: 'plan | price', isLeadIn: false, isLine: true },
      { text: 'Pro | 20 €', isLeadIn: false, isLine: true },
      { text: 'Also:', isLeadIn: true, isLine: true },
      { text: 'one more', isLeadIn: false, isLine: true },
      { text: 'two', isLeadIn: false, isLine: true },
      { text: 'three', isLeadIn: false, isLine: true },
    ]);
  });

  it.each(['How long is it?', '保証は何年ですか？', 'كم المدة؟', 'Hours:'])('mark %j as a lead-in', (text) => {
    expect(sentencesOf(text)[0]?.isLeadIn).toBe(true);
  });

  it('are split at the maximum length if no full stop ends them', () => {
    const parts = texts('word '.repeat(300));
    expect(parts.every((part) => part.length <= 400)).toBe(true);
    expect(parts.join(' ')).toBe('word '.repeat(300).trim());
  });

  it('contain every word of plain text, in order, without split surrogate pairs', () => {
    const word = fc.constantFrom('one', 'Two', 'three.', '四。', '🙂', 'St.', 'five?', '🙂'.repeat(450));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const found = texts(words.join(' '));
        expect(found.join('').replace(/\s/g, '')).toBe(words.join(''));
        expect(found.every((text) => text.isWellFormed())).toBe(true);
      }),
    );
  });
});
