import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRectangles, encodeRectangles } from './rectangles.js';

describe('rectangles', () => {
  it('rectangles are equal after encoding and decoding', () => {
    const rectangle = fc.array(fc.integer({ min: 0, max: 65_535 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(rectangle, { maxLength: 70 }), (rectangles) => {
        expect(decodeRectangles(encodeRectangles(rectangles.flat()))).toEqual(rectangles.flat());
      }),
    );
  });

  it('an empty list of rectangles is stored as null', () => {
    expect(encodeRectangles([])).toBeNull();
    expect(decodeRectangles(null)).toEqual([]);
  });

  it.each([
    ['a fraction', [1, 0.5, 0, 0, 0]],
    ['a negative number', [1, -1, 0, 0, 0]],
    ['a number over the limit', [65_536, 0, 0, 0, 0]],
    ['four numbers', [1, 0, 0, 0]],
  ])('the rectangles %s are rejected', (_, numbers) => {
    expect(() => encodeRectangles(numbers)).toThrow(RangeError);
  });
});
