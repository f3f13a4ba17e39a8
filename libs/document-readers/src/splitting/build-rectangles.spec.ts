import { describe, expect, it } from 'vitest';
import type { TextBox } from '../readers/text-box.js';
import { buildRectangles } from './build-rectangles.js';

/** Creates the box of a word in a column: each line is 100 units high. */
function placeWord(line: number, { page = 1, left = 1_000, row = line } = {}): TextBox {
  return { start: line, end: line + 1, page, line, left, right: left + 500, top: row * 100, bottom: row * 100 + 80 };
}

describe('buildRectangles', () => {
  it('buildRectangles joins the words of a line, including text repeated from the previous fragment', () => {
    const words = [placeWord(1), placeWord(1, { left: 1_600 }), placeWord(2)];
    expect(buildRectangles(words)).toEqual([1, 1_000, 100, 1_100, 80, 1, 1_000, 200, 500, 80]);
  });

  it('buildRectangles returns a rectangle for each page of a text over two pages', () => {
    const words = [placeWord(98), placeWord(99, { page: 2, row: 1 })];
    expect(buildRectangles(words)).toEqual([1, 1_000, 9_800, 500, 80, 2, 1_000, 100, 500, 80]);
  });

  it('buildRectangles joins lines of the same column when there are more than 64', () => {
    const createColumn = (from: number, left: number): readonly TextBox[] =>
      Array.from({ length: 50 }, (_, row) => placeWord(from + row, { left, row }));
    const rectangles = buildRectangles([...createColumn(0, 1_000), ...createColumn(50, 5_000)]);
    expect(rectangles).toHaveLength(5 * 50);
    expect(rectangles.slice(0, 5)).toEqual([1, 1_000, 0, 500, 180]);
    expect(rectangles.filter((_, index) => index % 5 === 3)).toEqual(Array.from({ length: 50 }, () => 500));
  });

  it('buildRectangles returns at most 64 rectangles, whatever the order and the pages of the lines', () => {
    const zigzag = Array.from({ length: 1_000 }, (_, row) => placeWord(row, { row: row % 2, left: (row % 7) * 1_000 }));
    expect(buildRectangles(zigzag).length).toBeLessThanOrEqual(5 * 64);
    const pages = Array.from({ length: 100 }, (_, page) => placeWord(page, { page: page + 1, row: 1 }));
    expect(buildRectangles(pages)).toHaveLength(5 * 64);
  });

  it('buildRectangles omits pages whose number cannot be stored', () => {
    expect(buildRectangles([placeWord(1, { page: 70_000 })])).toEqual([]);
  });
});
