import { describe, expect, it } from 'vitest';
import { cleanText } from './clean-text.js';
import { realignTextBoxes, type TextBox } from './text-box.js';

function placeWords(text: string): readonly TextBox[] {
  const place = { page: 1, line: 1, left: 0, right: 1, top: 0, bottom: 1 };
  return Array.from(text.matchAll(/[^ \n]+/g), (word) => ({
    ...place,
    start: word.index,
    end: word.index + word[0].length,
  }));
}

describe('realignTextBoxes', () => {
  it.each([
    ['a soft hyphen', 'the wa\u00adding heron', ['the', 'wading', 'heron']],
    ['spaces at a line end', 'the heron  \nstands', ['the', 'heron', 'stands']],
    ['empty lines at the start', '\n\nthe heron', ['the', 'heron']],
    ['half of a surrogate pair', 'the \ud83d heron', ['the', '\ufffd', 'heron']],
    ['a word of control characters', 'the \u0002\u0003 heron', ['the', 'heron']],
  ])('realignTextBoxes moves the boxes to their words after cleaning removed %s', (_, before, words) => {
    const after = cleanText(before);
    const boxes = realignTextBoxes(placeWords(before), before, after);
    expect(boxes.map(({ start, end }) => after.slice(start, end))).toEqual(words);
  });
});
