/** Number of units in the width of a page, and in its height. The edges of rectangles are integers in these units. */
export const UNITS_PER_PAGE = 10_000;

/**
 * Describes the area that a range of a text covers on a page. The edges are integers in ten-thousandths of the
 * displayed page, from its upper left corner, so that they fit a picture of any size. The displayed page is the page
 * after its rotation and within its crop box.
 */
export interface TextRectangle extends PageRectangle {
  /** Position of the first character in the text. */
  readonly start: number;
  /** Position after the last character in the text. */
  readonly end: number;
}

/** Describes a rectangle on a displayed page. Its edges are in ten-thousandths of the page (`UNITS_PER_PAGE`). */
export interface PageRectangle {
  /** Page number, from 1. */
  readonly page: number;
  /** Number of the line in the document. Two rectangles have the same number only if they belong to the same line. */
  readonly line: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Returns the rectangles of the part of a text from position `start` to before position `end`. The positions in the
 * result count from the start of the part. A rectangle that extends beyond the part keeps its edges, but its range is
 * cut to the part.
 *
 * @param rectangles rectangles of the whole text, in the order of the text
 */
export function sliceTextRectangles(
  rectangles: readonly TextRectangle[],
  start: number,
  end: number,
): readonly TextRectangle[] {
  const slice: TextRectangle[] = [];
  for (let index = findFirstEndingAfter(rectangles, start); index < rectangles.length; index += 1) {
    const rectangle = rectangles[index];
    if (rectangle === undefined || rectangle.start >= end) break;
    slice.push({
      ...rectangle,
      start: Math.max(rectangle.start, start) - start,
      end: Math.min(rectangle.end, end) - start,
    });
  }
  return slice;
}

/**
 * Returns the index of the first rectangle whose range ends after a position, or the number of rectangles if no range
 * does.
 */
function findFirstEndingAfter(rectangles: readonly TextRectangle[], position: number): number {
  let low = 0;
  let high = rectangles.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((rectangles[middle]?.end ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Adjusts the positions of rectangles after characters were removed from their text, so that each rectangle keeps its
 * characters. Omits rectangles of which no character remains.
 *
 * @param before the text to which the positions refer
 * @param after the text without the removed characters; U+FFFD can replace surrogates
 */
export function realignTextRectangles(
  rectangles: readonly TextRectangle[],
  before: string,
  after: string,
): readonly TextRectangle[] {
  if (before === after || rectangles.length === 0) return rectangles;
  const positions = new Uint32Array(before.length + 1);
  let position = 0;
  for (let index = 0; index < before.length; index += 1) {
    positions[index] = position;
    if (position < after.length && isSameCharacter(before.charCodeAt(index), after.charCodeAt(position))) position += 1;
  }
  positions[before.length] = position;
  return rectangles
    .map((rectangle) => ({
      ...rectangle,
      start: positions[rectangle.start] ?? position,
      end: positions[rectangle.end] ?? position,
    }))
    .filter(({ start, end }) => start < end);
}

const REPLACEMENT_CHARACTER = 0xfffd;

/**
 * Returns whether a code unit of the cleaned text is the original code unit, or the replacement character in place of a
 * surrogate.
 */
function isSameCharacter(original: number, cleaned: number): boolean {
  return original === cleaned || (cleaned === REPLACEMENT_CHARACTER && original >= 0xd800 && original <= 0xdfff);
}

/**
 * Returns the smallest rectangle that contains two rectangles. All its properties except the edges are those of `one`.
 */
export function joinPageRectangles<B extends PageRectangle>(one: B, other: PageRectangle): B {
  return {
    ...one,
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
  };
}
