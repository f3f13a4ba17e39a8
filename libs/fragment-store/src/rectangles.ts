const NUMBERS_PER_RECTANGLE = 5;
const BYTES_PER_NUMBER = 2;
const MAX_NUMBER = 65_535;

/**
 * Encodes rectangles for storage in 14 characters each. A rectangle consists of five numbers: the page, from 1, and x,
 * y, width and height in ten-thousandths of the displayed page. All numbers are integers from 0 to 65,535.
 *
 * @returns null if there are no rectangles
 * @throws RangeError if a number is outside this range, or a rectangle has fewer than five numbers
 */
export function encodeRectangles(rectangles: readonly number[]): string | null {
  if (rectangles.length === 0) return null;
  if (rectangles.length % NUMBERS_PER_RECTANGLE !== 0)
    throw new RangeError(`expected five numbers per rectangle, found a total of ${String(rectangles.length)} numbers`);
  const bytes = Buffer.alloc(rectangles.length * BYTES_PER_NUMBER);
  for (const [index, number] of rectangles.entries()) {
    if (!Number.isInteger(number) || number < 0 || number > MAX_NUMBER)
      throw new RangeError(
        `expected the numbers of rectangles to be integers from 0 to ${String(MAX_NUMBER)}, found ${String(number)}`,
      );
    bytes.writeUInt16LE(number, index * BYTES_PER_NUMBER);
  }
  return bytes.toString('base64');
}

/** Decodes the result of `encodeRectangles`. Null means no rectangles. */
export function decodeRectangles(encoded: string | null): readonly number[] {
  if (encoded === null) return [];
  const bytes = Buffer.from(encoded, 'base64');
  const numbers: number[] = [];
  // A loop over the bytes is used because it is fast: the rectangles of every candidate of a search are decoded.
  for (let index = 0; index + 1 < bytes.length; index += BYTES_PER_NUMBER)
    numbers.push((bytes[index] ?? 0) + 256 * (bytes[index + 1] ?? 0));
  return numbers;
}
