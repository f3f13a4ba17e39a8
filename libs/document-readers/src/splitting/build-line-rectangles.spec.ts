import { describe, expect, it } from 'vitest';
import type { TextRectangle } from '../readers/text-rectangle.js';
import { buildLineRectangles } from './build-line-rectangles.js';

/** Creates the rectangle of a word in a column whose lines are 100 units high. */
function createWordRectangle(line: number, { page = 1, left = 1_000, row = line } = {}): TextRectangle {
  return { start: line, end: line + 1, page, line, left, right: left + 500, top: row * 100, bottom: row * 100 + 80 };
}

describe('buildLineRectangles', () => {
  it('buildLineRectangles joins the rectangles of the words of a line', () => {
    const words = [createWordRectangle(1), createWordRectangle(1, { left: 1_600 }), createWordRectangle(2)];
    expect(buildLineRectangles(words)).toEqual([1, 1_000, 100, 1_100, 80, 1, 1_000, 200, 500, 80]);
  });

  it('buildLineRectangles returns separate rectangles for the two pages of a text', () => {
    const words = [createWordRectangle(98), createWordRectangle(99, { page: 2, row: 1 })];
    expect(buildLineRectangles(words)).toEqual([1, 1_000, 9_800, 500, 80, 2, 1_000, 100, 500, 80]);
  });

  it('buildLineRectangles joins lines of the same column if there are more than 64 lines', () => {
    const createColumn = (from: number, left: number): readonly TextRectangle[] =>
      Array.from({ length: 50 }, (_, row) => createWordRectangle(from + row, { left, row }));
    const rectangles = buildLineRectangles([...createColumn(0, 1_000), ...createColumn(50, 5_000)]);
    expect(rectangles).toHaveLength(5 * 50);
    expect(rectangles.slice(0, 5)).toEqual([1, 1_000, 0, 500, 180]);
    expect(rectangles.filter((_, index) => index % 5 === 3)).toEqual(Array.from({ length: 50 }, () => 500));
  });

  it('buildLineRectangles returns at most 64 rectangles, whatever the order and the pages of the lines', () => {
    const zigzag = Array.from({ length: 1_000 }, (_, row) =>
      createWordRectangle(row, { row: row % 2, left: (row % 7) * 1_000 }),
    );
    expect(buildLineRectangles(zigzag).length).toBeLessThanOrEqual(5 * 64);
    const pages = Array.from({ length: 100 }, (_, page) => createWordRectangle(page, { page: page + 1, row: 1 }));
    expect(buildLineRectangles(pages)).toHaveLength(5 * 64);
  });

  it('buildLineRectangles omits rectangles on pages with a number above 65,535', () => {
    expect(buildLineRectangles([createWordRectangle(1, { page: 70_000 })])).toEqual([]);
  });
});
