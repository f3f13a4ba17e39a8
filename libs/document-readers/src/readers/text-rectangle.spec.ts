import { describe, expect, it } from 'vitest';
import { normalizeForStorage } from './normalize-for-storage.js';
import { realignTextRectangles, type TextRectangle } from './text-rectangle.js';

function createWordRectangles(text: string): readonly TextRectangle[] {
  const edges = { page: 1, line: 1, left: 0, right: 1, top: 0, bottom: 1 };
  return Array.from(text.matchAll(/[^ \n]+/g), (word) => ({
    ...edges,
    start: word.index,
    end: word.index + word[0].length,
  }));
}

describe('realignTextRectangles', () => {
  it.each([
    ['a soft hyphen', 'the wa\u00adding heron', ['the', 'wading', 'heron']],
    ['spaces at a line end', 'the heron  \nstands', ['the', 'heron', 'stands']],
    ['empty lines at the start', '\n\nthe heron', ['the', 'heron']],
    ['half of a surrogate pair', 'the \ud83d heron', ['the', '\ufffd', 'heron']],
    ['a word of control characters', 'the \u0002\u0003 heron', ['the', 'heron']],
  ])('realignTextRectangles keeps each rectangle at its word if normalizeForStorage changes %s', (_, before, words) => {
    const after = normalizeForStorage(before);
    const rectangles = realignTextRectangles(createWordRectangles(before), before, after);
    expect(rectangles.map(({ start, end }) => after.slice(start, end))).toEqual(words);
  });
});
