import { RIGHT_TO_LEFT } from './brackets.js';
import type { Glyph } from './glyphs.js';

const LETTER = /\p{L}/u;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/**
 * Puts the words of a line with both directions into reading order. pdfium reverses each word of such a line
 * separately. Consecutive words against the direction of the line, such as `ISO 9001` in Hebrew text, are then in
 * reverse order. Orders these words by their horizontal positions. The order of a number next to a name is ambiguous:
 * puts the name first, as in most texts.
 *
 * @param glyphs glyphs of a line or of a part of a line
 * @returns the same glyphs in reading order
 */
export function orderGlyphsForReading(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (!glyphs.some(isRightToLeftGlyph)) return glyphs;
  const ordered = [...glyphs];
  for (const run of findRangesBetween(isRightToLeftGlyph, glyphs, ({ text }) => LETTER_OR_NUMBER.test(text))) {
    if (glyphs.slice(run.from, run.until).some(isLeftToRightGlyph)) sortWordsInRange(ordered, run, compareLeftToRight);
  }
  for (const run of findRangesBetween(isLeftToRightGlyph, glyphs, isRightToLeftGlyph))
    sortWordsInRange(ordered, run, compareRightToLeft);
  return ordered;
}

function isRightToLeftGlyph({ text }: Glyph): boolean {
  return RIGHT_TO_LEFT.test(text);
}

function isLeftToRightGlyph({ text }: Glyph): boolean {
  return LETTER.test(text) && !RIGHT_TO_LEFT.test(text);
}

/** Describes a range of indexes of a list of glyphs. `until` is exclusive. */
interface GlyphRange {
  readonly from: number;
  readonly until: number;
}

type GlyphPredicate = (glyph: Glyph) => boolean;

/**
 * Returns the ranges of glyphs between those that match `isOther`. Each range begins and ends with a glyph that matches
 * `isEdge`.
 */
function findRangesBetween(
  isOther: GlyphPredicate,
  glyphs: readonly Glyph[],
  isEdge: GlyphPredicate,
): readonly GlyphRange[] {
  const runs: GlyphRange[] = [];
  let from: number | undefined;
  let until = 0;
  for (const [index, glyph] of glyphs.entries()) {
    if (isOther(glyph)) {
      if (from !== undefined) runs.push({ from, until });
      from = undefined;
    } else if (isEdge(glyph)) {
      from ??= index;
      until = index + 1;
    }
  }
  return from === undefined ? runs : [...runs, { from, until }];
}

type Word = readonly Glyph[];

/** Sorts the words of a range. Keeps the spaces between words in their order. */
function sortWordsInRange(
  glyphs: Glyph[],
  { from, until }: GlyphRange,
  order: (one: Word, other: Word) => number,
): void {
  const words: Glyph[][] = [[]];
  const spaces: Glyph[][] = [];
  for (const [index, glyph] of glyphs.slice(from, until).entries()) {
    const isSpace = !glyph.visible;
    const wasSpace = index > 0 && spaces.length === words.length;
    if (isSpace && !wasSpace) spaces.push([glyph]);
    else if (isSpace) spaces.at(-1)?.push(glyph);
    else if (wasSpace) words.push([glyph]);
    else words.at(-1)?.push(glyph);
  }
  const sorted = words.toSorted(order).flatMap((word, index) => [...word, ...(spaces[index] ?? [])]);
  glyphs.splice(from, until - from, ...sorted);
}

function compareLeftToRight(one: Word, other: Word): number {
  return getLeftEdge(one) - getLeftEdge(other);
}

function compareRightToLeft(one: Word, other: Word): number {
  return getLeftEdge(other) - getLeftEdge(one);
}

function getLeftEdge(word: Word): number {
  return Math.min(...word.map(({ left }) => left));
}
