/** Number of units across the width of a page, and down its height. */
export const UNITS_PER_PAGE = 10_000;

/**
 * Describes the place of a range of a text on a page. The edges are integers in ten-thousandths of the displayed page,
 * from its upper left corner: after its rotation and within its crop box. So they fit a picture of the page of any
 * size.
 */
export interface TextBox extends PageBox {
  /** Position of the first character in the text. */
  readonly start: number;
  /** Position after the last character in the text. */
  readonly end: number;
}

/** Describes a box on a page. */
export interface PageBox {
  /** Page number, from 1. */
  readonly page: number;
  /** Number of the line in the document. The boxes of a line have the same number, and other lines have others. */
  readonly line: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the boxes of a part of a text. @param boxes in the order of the text */
export function sliceTextBoxes(boxes: readonly TextBox[], start: number, end: number): readonly TextBox[] {
  const slice: TextBox[] = [];
  for (let index = findFirstAfter(boxes, start); index < boxes.length; index += 1) {
    const box = boxes[index];
    if (box === undefined || box.start >= end) break;
    slice.push({ ...box, start: Math.max(box.start, start) - start, end: Math.min(box.end, end) - start });
  }
  return slice;
}

/** Returns the index of the first box that ends after a position. */
function findFirstAfter(boxes: readonly TextBox[], position: number): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((boxes[middle]?.end ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Moves boxes to the positions that their characters have in a text after characters were removed from it. */
export function realignTextBoxes(boxes: readonly TextBox[], before: string, after: string): readonly TextBox[] {
  if (before === after || boxes.length === 0) return boxes;
  const positions = new Uint32Array(before.length + 1);
  let position = 0;
  for (let index = 0; index < before.length; index += 1) {
    positions[index] = position;
    if (position < after.length && isSameCharacter(before.charCodeAt(index), after.charCodeAt(position))) position += 1;
  }
  positions[before.length] = position;
  return boxes
    .map((box) => ({ ...box, start: positions[box.start] ?? position, end: positions[box.end] ?? position }))
    .filter(({ start, end }) => start < end);
}

const REPLACEMENT_CHARACTER = 0xfffd;

/** Returns whether a code unit of the cleaned text is the original one, or replaces a surrogate. */
function isSameCharacter(one: number, cleaned: number): boolean {
  return one === cleaned || (cleaned === REPLACEMENT_CHARACTER && one >= 0xd800 && one <= 0xdfff);
}

/** Returns the box around two boxes, with the other properties of the first. */
export function joinPageBoxes<B extends PageBox>(one: B, other: PageBox): B {
  return {
    ...one,
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
  };
}
