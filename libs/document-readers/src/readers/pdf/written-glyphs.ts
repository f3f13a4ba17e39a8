import type { Annotation } from './annotations.js';
import { distance } from './columns.js';
import { boxOf, type Box } from './glyph-box.js';
import type { Glyph, Turn } from './glyphs.js';
import { turnedBack } from './turned-glyphs.js';

/** In points. A field may be higher than its letters. */
const MAX_SIZE = 12;
const MIN_SIZE = 4;
/** Of the size. */
const LINE_HEIGHT = 1.2;
const LETTER_WIDTH = 0.5;
const LETTER_HEIGHT = 0.7;
/** How much of the lower of two must stand beside the other for both to be of one line. */
const BESIDE = 0.5;

/**
 * What is written into a form is not part of the page: it is put where it stands, behind the label to its left, or under what
 * stands above it. How its letters are drawn does not matter; they are taken for plain ones.
 *
 * @param lines the characters of each, upright
 * @param turn how the page was turned before it stood upright
 */
export function withWritten(
  lines: readonly (readonly Glyph[])[],
  annotations: readonly Annotation[],
  turn: Turn,
): readonly (readonly Glyph[])[] {
  const fields = annotations.filter(({ kind }) => kind === 'written');
  if (fields.length === 0) return lines;
  const result = lines.map((line) => [...line]);
  for (const { text, box } of fields) {
    for (const written of glyphsIn(text, turnedBack(box, turn))) put(written, result);
  }
  return result;
}

function put(written: readonly Glyph[], lines: Glyph[][]): void {
  const box = boxOf(written);
  const beside = nearestTo(
    box,
    lines.filter((line) => isBeside(box, boxOf(line))),
  );
  if (beside !== undefined) {
    const before = beside.findLastIndex(({ drawn, left }) => drawn && left < box.left);
    beside.splice(before + 1, 0, spaceAt(box), ...written, spaceAt(box));
    return;
  }
  const above = lines.findLastIndex((line) => boxOf(line).bottom >= box.top);
  lines.splice(above + 1, 0, [...written]);
}

/** Of two columns, the one that it stands in. */
function nearestTo(box: Box, lines: readonly Glyph[][]): Glyph[] | undefined {
  const distances = lines.map((line) => distance(box, boxOf(line)));
  return lines[distances.indexOf(Math.min(...distances))];
}

function isBeside(one: Box, other: Box): boolean {
  const shared = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  return shared > BESIDE * Math.min(one.top - one.bottom, other.top - other.bottom);
}

/** A line of glyphs for each line that is written, from the top of its box. */
function glyphsIn(text: string, { left, right, bottom, top }: Box): readonly (readonly Glyph[])[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const height = (top - bottom) / lines.length;
  const size = Math.max(MIN_SIZE, Math.min(MAX_SIZE, height / LINE_HEIGHT));
  return lines.map((line, index) => {
    const characters = Array.from(line);
    const room = (right - left) / characters.length;
    // A mark fills its box, and stands close to what it marks.
    const width = characters.length === 1 ? room : Math.min(LETTER_WIDTH * size, room);
    const middle = lines.length === 1 ? (top + bottom) / 2 : top - (index + 0.5) * LINE_HEIGHT * size;
    const upDown = { bottom: middle - (LETTER_HEIGHT * size) / 2, top: middle + (LETTER_HEIGHT * size) / 2 };
    return characters.map((character, place) => ({
      ...{ text: character, drawn: character.trim() !== '', ...upDown, size, bold: false, turn: 0, hyphen: false },
      ...{ left: left + place * width, right: left + (place + 1) * width },
    }));
  });
}

function spaceAt({ left, bottom, top }: Box): Glyph {
  return { text: ' ', drawn: false, left, right: left, bottom, top, size: 0, bold: false, turn: 0, hyphen: false };
}
