import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRectangles, encodeRectangles } from './rectangles.js';

describe('rectangles', () => {
  it('decodeRectangles returns the rectangles that encodeRectangles encoded', () => {
    const rectangle = fc.array(fc.integer({ min: 0, max: 65_535 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(rectangle, { maxLength: 70 }), (rectangles) => {
        expect(decodeRectangles(encodeRectangles(rectangles.flat()))).toEqual(rectangles.flat());
      }),
    );
  });

  it('encodeRectangles encodes an empty list as null', () => {
    expect(encodeRectangles([])).toBeNull();
    expect(decodeRectangles(null)).toEqual([]);
  });

  it.each([
    ['a fraction', [1, 0.5, 0, 0, 0]],
    ['a negative number', [1, -1, 0, 0, 0]],
    ['a number over the limit', [65_536, 0, 0, 0, 0]],
    ['four numbers', [1, 0, 0, 0]],
  ])('encodeRectangles rejects rectangles with %s', (_, numbers) => {
    expect(() => encodeRectangles(numbers)).toThrow(RangeError);
  });
});
