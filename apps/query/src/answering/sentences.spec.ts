import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from './sentences.js';

function texts(passage: string): string[] {
  return sentencesOf(passage).map(({ text }) => text);
}

describe('the sentences of a passage', () => {
  it('are found over the breaks of lines, in any language', () => {
    expect(texts('The warranty lasts\ntwo years. It covers\nwater.')).toEqual([
      'The warranty lasts two years.',
      'It covers water.',
    ]);
    expect(texts('保証は二年間です。水濡れも対象です。')).toEqual(['保証は二年間です。', '水濡れも対象です。']);
  });

  it('do not end behind an initial or a short abbreviation', () => {
    expect(texts('It was built by Dr. J. Smith in 1900. It burnt down.')).toEqual([
      'It was built by Dr. J. Smith in 1900.',
      'It burnt down.',
    ]);
  });

  it('are the headings, items and rows of Markdown, without their marks', () => {
    const passage =
      '## Prices ##\n\n| plan | price |\n|---|---|\n| Pro | 20 € |\n\nAlso:\n- one\n  more\n- two\n1. three';
    expect(sentencesOf(passage)).toEqual([
      { text: 'Prices', leadsIn: true, isLine: true },
      { text: 'plan | price', leadsIn: false, isLine: true },
      { text: 'Pro | 20 €', leadsIn: false, isLine: true },
      { text: 'Also:', leadsIn: true, isLine: false },
      { text: 'one more', leadsIn: false, isLine: true },
      { text: 'two', leadsIn: false, isLine: true },
      { text: 'three', leadsIn: false, isLine: true },
    ]);
  });

  it.each(['How long is it?', '保証は何年ですか？', 'كم المدة؟', 'Hours:'])('tell that %j leads in', (text) => {
    expect(sentencesOf(text)[0]?.leadsIn).toBe(true);
  });

  it('are cut where they have no end', () => {
    const parts = texts('word '.repeat(300));
    expect(parts.every((part) => part.length <= 400)).toBe(true);
    expect(parts.join(' ')).toBe('word '.repeat(300).trim());
  });

  it('hold every word of a plain text, in order, and never a character cut in two', () => {
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
