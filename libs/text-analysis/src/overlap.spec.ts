import { describe, expect, it } from 'vitest';
import { measureOverlap } from './overlap.js';

describe('measureOverlap', () => {
  it('measureOverlap returns the number of characters at the end of a text that the next fragment repeats', () => {
    const sentence = 'The pump has two seals.';
    expect(measureOverlap(`It is new. ${sentence}`, `${sentence} Each lasts a year.`, 100)).toBe(sentence.length);
  });

  it('measureOverlap returns at most the maximum length', () => {
    const sentence = 'The pump has two seals.';
    const text = Array.from({ length: 9 }, () => sentence).join(' ');
    expect(measureOverlap(text, `${text} It is new.`, 2 * sentence.length + 1)).toBe(2 * sentence.length + 1);
    expect(measureOverlap(text, `${text} It is new.`, 2 * sentence.length)).toBe(sentence.length);
    expect(measureOverlap(text, `${text} It is new.`, 0)).toBe(0);
  });

  it('measureOverlap does not return the length of the whole fragment, because each fragment adds text', () => {
    const sentence = 'The pump has two seals.';
    expect(measureOverlap(`It is new. ${sentence}`, sentence, 100)).toBe(0);
    expect(measureOverlap(`${sentence} ${sentence}`, `${sentence} ${sentence}`, 100)).toBe(sentence.length);
  });

  it.each([
    ['', 'The pump has two seals.'],
    ['It is described in chapter 2', '2 Installation'],
    ['| Bolt | 3 |', '| Item | Price |'],
    ['The doors open at nine.', '. The end'],
    ['the internationalisation of steel', 'nationalisation of steel began'],
    ['He asked for a fair representation in', 'a fair representation into the law'],
  ])(
    'measureOverlap returns 0 if %j and the next fragment %j share at most a short text or a text cut inside a word',
    (before, text) => {
      expect(measureOverlap(before, text, 100)).toBe(0);
    },
  );
});
