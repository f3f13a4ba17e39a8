import type { Annotation } from './annotations.js';
import { measureGapBetween } from './columns.js';
import { computeBoundingRectangle, type Rectangle } from './bounding-rectangle.js';
import type { Glyph, Rotation } from './glyphs.js';
import { rotateRectangle } from './rotated-glyphs.js';

/**
 * Maximum font size of the text that is inserted for a field, in points. The height of a field does not determine the
 * size, because a field can be taller than its text.
 */
const MAX_SIZE = 12;
const MIN_SIZE = 4;
/** Height of a line of inserted text, as a share of its font size. */
const LINE_HEIGHT = 1.2;
const LETTER_WIDTH = 0.5;
const LETTER_HEIGHT = 0.7;
/** Minimum vertical overlap of two glyph rectangles of one line, as a share of the height of the smaller rectangle. */
const MIN_SHARED_HEIGHT = 0.5;

/**
 * Inserts the values of form fields and text boxes into the lines of the page. Inserts a value after the label to the
 * left of the field, or else after the line above the field. Estimates the positions of the inserted glyphs, which need
 * not be exact.
 *
 * @param lines the upright glyphs of each line
 * @param rotation rotation of most text of the page before the glyphs were made upright
 */
export function insertInlineText(
  lines: readonly (readonly Glyph[])[],
  annotations: readonly Annotation[],
  rotation: Rotation,
): readonly (readonly Glyph[])[] {
  const fields = annotations.filter(({ kind }) => kind === 'inline');
  if (fields.length === 0) return lines;
  const result = lines.map((line) => [...line]);
  for (const { text, rectangle } of fields) {
    for (const inserted of createTextGlyphs(text, rotateRectangle(rectangle, rotation), rotation))
      insertLineByPosition(inserted, result);
  }
  return result;
}

function insertLineByPosition(inserted: readonly Glyph[], lines: Glyph[][]): void {
  const rectangle = computeBoundingRectangle(inserted);
  const sameLine = findNearestLine(
    rectangle,
    lines.filter((line) => isOnSameLine(rectangle, computeBoundingRectangle(line))),
  );
  if (sameLine !== undefined) {
    const before = sameLine.findLastIndex(({ visible, left }) => visible && left < rectangle.left);
    sameLine.splice(before + 1, 0, createSpaceGlyphAt(rectangle), ...inserted, createSpaceGlyphAt(rectangle));
    return;
  }
  const above = lines.findLastIndex((line) => computeBoundingRectangle(line).bottom >= rectangle.top);
  lines.splice(above + 1, 0, [...inserted]);
}

/**
 * Returns the line with the smallest horizontal distance to a rectangle. On a page with several columns, this line is
 * in the column of the rectangle.
 */
function findNearestLine(rectangle: Rectangle, lines: readonly Glyph[][]): Glyph[] | undefined {
  const distances = lines.map((line) => measureGapBetween(rectangle, computeBoundingRectangle(line)));
  return lines[distances.indexOf(Math.min(...distances))];
}

function isOnSameLine(one: Rectangle, other: Rectangle): boolean {
  const shared = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  return shared > MIN_SHARED_HEIGHT * Math.min(one.top - one.bottom, other.top - other.bottom);
}

/** Creates the glyphs of each line of a text inside a rectangle, from top to bottom. */
function createTextGlyphs(
  text: string,
  { left, right, bottom, top }: Rectangle,
  rotation: Rotation,
): readonly (readonly Glyph[])[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const height = (top - bottom) / lines.length;
  const size = Math.max(MIN_SIZE, Math.min(MAX_SIZE, height / LINE_HEIGHT));
  return lines.map((line, index) => {
    const characters = Array.from(line);
    const availableWidth = (right - left) / characters.length;
    // A single character, such as a check mark, is as wide as its rectangle.
    const width = characters.length === 1 ? availableWidth : Math.min(LETTER_WIDTH * size, availableWidth);
    const middle = lines.length === 1 ? (top + bottom) / 2 : top - (index + 0.5) * LINE_HEIGHT * size;
    const vertical = { bottom: middle - (LETTER_HEIGHT * size) / 2, top: middle + (LETTER_HEIGHT * size) / 2 };
    return characters.map((character, position) => ({
      ...{
        text: character,
        visible: character.trim() !== '',
        ...vertical,
        size,
        bold: false,
        rotation,
        hyphen: false,
      },
      ...{ left: left + position * width, right: left + (position + 1) * width },
    }));
  });
}

function createSpaceGlyphAt({ left, bottom, top }: Rectangle): Glyph {
  return {
    text: ' ',
    visible: false,
    left,
    right: left,
    bottom,
    top,
    size: 0,
    bold: false,
    rotation: 0,
    hyphen: false,
  };
}
