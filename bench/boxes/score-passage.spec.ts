import { describe, expect, it } from 'vitest';
import { parseBoundingBoxes } from './page-words.js';
import { scorePassage } from './score-passage.js';

/**
 * Creates the text that poppler's pdftotext would print for pages of 1,000 by 1,000 points with the given lines. Each
 * word is 90 points wide, with 10 points between words, and 10 points high.
 */
function writePages(pages: readonly (readonly string[])[]): string {
  const writeLine = (line: string, row: number): string => {
    const words = line.split(' ').map((word, column) => {
      const edges = `xMin="${column * 100}" yMin="${row * 10}" xMax="${column * 100 + 90}" yMax="${row * 10 + 10}"`;
      return `<word ${edges}>${word}</word>`;
    });
    return `<line xMin="0">${words.join('')}</line>`;
  };
  return pages.map((lines) => `<page width="1000.0" height="1000.0">${lines.map(writeLine).join('')}</page>`).join('');
}

const PAGES = parseBoundingBoxes(
  writePages([
    ['a small egret', 'walks'],
    ['the grey heron', 'stands in wa-', 'ter &amp; waits'],
  ]),
);
const PASSAGE = { text: 'the grey heron stands in water', repeated: 0, page: 2 };
const FIRST_LINES = [2, 0, 0, 10_000, 100, 2, 0, 100, 10_000, 100];

describe('scorePassage', () => {
  it('scorePassage finds all words of a passage, including a word that is hyphenated over a line end', () => {
    const rectangles = [...FIRST_LINES, 2, 0, 200, 950, 100];
    const score = { hasRightPage: true, recall: 1, precision: 1, rectangles: 3 };
    expect(scorePassage({ ...PASSAGE, rectangles }, PAGES)).toEqual(score);
  });

  it('scorePassage lowers the recall for passage words outside of the rectangles, and the precision for other words inside them', () => {
    expect(scorePassage({ ...PASSAGE, rectangles: FIRST_LINES }, PAGES)).toMatchObject({ recall: 5 / 6 });
    const whole = [2, 0, 0, 10_000, 10_000];
    expect(scorePassage({ ...PASSAGE, rectangles: whole }, PAGES)).toMatchObject({ recall: 1, precision: 6 / 7 });
  });

  it('scorePassage counts a word as inside a rectangle if half of its box is inside, but not if a quarter is inside', () => {
    const cut = (width: number): readonly number[] => [2, 0, 0, width, 100];
    const text = 'the';
    expect(scorePassage({ ...PASSAGE, text, rectangles: cut(500) }, PAGES).recall).toBe(1);
    expect(scorePassage({ ...PASSAGE, text, rectangles: cut(225) }, PAGES).recall).toBe(0);
  });

  it('scorePassage reports a wrong page number of a passage, and returns the recall 0 if the rectangles of the passage are on a wrong page', () => {
    expect(scorePassage({ ...PASSAGE, page: 1, rectangles: FIRST_LINES }, PAGES).hasRightPage).toBe(false);
    const rectangles = [1, 0, 0, 10_000, 10_000];
    expect(scorePassage({ ...PASSAGE, rectangles }, PAGES)).toMatchObject({ hasRightPage: true, recall: 0 });
  });
});
