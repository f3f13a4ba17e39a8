import { describe, expect, it } from 'vitest';
import { parsePageRectangles } from './page-rectangle.js';

describe('parsePageRectangles', () => {
  it('parsePageRectangles converts ten-thousandths of the page size to fractions', () => {
    expect(parsePageRectangles([3, 1_000, 2_500, 5_000, 125, 4, 0, 0, 10_000, 10_000])).toEqual([
      { page: 3, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 },
      { page: 4, x: 0, y: 0, width: 1, height: 1 },
    ]);
  });

  it('parsePageRectangles returns no rectangles for an empty list of numbers', () => {
    expect(parsePageRectangles([])).toEqual([]);
  });
});
