import { RIGHT_TO_LEFT, fixMirroredBrackets } from './brackets.js';
import { orderGlyphsForReading } from './mixed-directions.js';
import { isCurrencySign, moveCurrencySignsToAmounts } from './currency-signs.js';
import { computeBoundingRectangle } from './bounding-rectangle.js';
import type { Glyph } from './glyphs.js';
import { joinListMarkerWithText } from './list-markers.js';
import { type Segment } from './segment.js';
import { findWordRectangles } from './word-rectangles.js';

/** Describes a line of a page, in points from the lower left corner of the page. */
export interface Line {
  readonly segments: readonly Segment[];
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** Median font size of the glyphs of the line, in points. */
  readonly size: number;
  readonly bold: boolean;
  /** True if the line has the same rotation as most text on the page. */
  readonly upright: boolean;
  /** True if the last word continues in the next line. The text excludes the hyphen. */
  readonly hyphenated: boolean;
  /** True if the file draws a space after the last word of the line. */
  readonly hasSpaceAtEnd?: true;
  /**
   * True if the line is a row of a table even if it has a single cell. If absent, only a line with several cells is a
   * row.
   */
  readonly isTableRow?: true;
}

/** Minimum gap between cells, in ems. Spaces between words of justified prose are up to one em wide. */
const MIN_CELL_GAP = 1.25;

const MIN_PART_GAP = 0.55;

/**
 * Maximum number of characters of a line that is divided at gaps narrower than `MIN_CELL_GAP`. In a longer line, which
 * is prose, such gaps are wide spaces.
 */
const MAX_ROW_CHARACTERS = 80;

export const CELL_SEPARATOR = ' | ';

export function getLineText(line: Line): string {
  return line.segments.map((segment) => segment.text).join(CELL_SEPARATOR);
}

export function isRowOfCells(line: Line): boolean {
  return line.segments.length > 1 || line.isTableRow === true;
}

export function countCharacters(line: Line): number {
  return line.segments.reduce((sum, segment) => sum + segment.text.length, 0);
}

/**
 * Builds a line from upright glyphs.
 *
 * @param cuts horizontal positions of further cell boundaries, at gaps that are too narrow to be recognized here
 * @returns undefined if no glyph is visible
 */
export function buildLine(glyphs: readonly Glyph[], cuts: readonly number[] = []): Line | undefined {
  const visible = glyphs.filter((glyph) => glyph.visible);
  if (visible.length === 0) return undefined;
  const hyphenated = glyphs.at(-1)?.hyphen === true;
  const withoutHyphen = hyphenated ? glyphs.slice(0, -1) : glyphs;
  return {
    segments: joinListMarkerWithText(splitIntoSegments(withoutHyphen, cuts)),
    ...computeBoundingRectangle(visible),
    size: computeMedian(visible.map((glyph) => glyph.size)),
    bold: visible.filter((glyph) => glyph.bold).length > visible.length / 2,
    upright: true,
    hyphenated,
    ...(glyphs.at(-1)?.text === ' ' && { hasSpaceAtEnd: true }),
  };
}

/**
 * Splits a line at wide gaps. A gap is a horizontal interval without visible glyphs. It is not the distance between
 * consecutive glyphs, because consecutive glyphs can be far apart in a line with text of both directions.
 */
function splitIntoSegments(glyphs: readonly Glyph[], cuts: readonly number[]): readonly Segment[] {
  const gaps = findGapsBetweenGlyphs(glyphs.filter(({ visible }) => visible));
  const wide = [...gaps.filter(({ width }) => width > MIN_CELL_GAP).map(({ at }) => at), ...cuts];
  const cells = wide.length === 0 ? [glyphs] : moveCurrencySignsToAmounts(splitGlyphsAt(wide, glyphs));
  const isShort = gaps.length > 0 && glyphs.length <= MAX_ROW_CHARACTERS;
  return cells
    .map((cell) => (isShort ? buildSegmentWithParts(cell, gaps) : buildSegment(cell)))
    .filter(({ text }) => text !== '');
}

function buildSegmentWithParts(cell: readonly Glyph[], gaps: readonly Gap[]): Segment {
  const whole = buildSegment(cell);
  const inside = gaps.map(({ at }) => at).filter((at) => at > whole.left && at < whole.right);
  return inside.length === 0 ? whole : { ...whole, parts: splitGlyphsAt(inside, cell).map(buildSegment) };
}

function splitGlyphsAt(gaps: readonly number[], glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const pieces: Glyph[][] = [[]];
  let gapCount = 0;
  for (const glyph of glyphs) {
    const gapsBefore = glyph.visible ? gaps.filter((gap) => gap < glyph.left).length : gapCount;
    if (gapsBefore !== gapCount && !isCurrencySign(pieces.at(-1))) pieces.push([]);
    gapCount = gapsBefore;
    pieces.at(-1)?.push(glyph);
  }
  return pieces;
}

interface Gap {
  /** Left edge of the gap, in points. */
  readonly at: number;
  /** Width of the gap, in ems. */
  readonly width: number;
}

/** Returns the gaps that are wider than most spaces between words, from left to right. */
function findGapsBetweenGlyphs(visible: readonly Glyph[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let end = Infinity;
  for (const glyph of visible.toSorted((one, other) => one.left - other.left)) {
    const width = (glyph.left - end) / glyph.size;
    if (width > MIN_PART_GAP) gaps.push({ at: end, width });
    end = Math.max(glyph.right, end === Infinity ? -Infinity : end);
  }
  return gaps;
}

function buildSegment(glyphs: readonly Glyph[]): Segment {
  const { left, right } = computeBoundingRectangle(glyphs);
  const ordered = orderGlyphsForReading(glyphs);
  const text = convertGlyphsToText(ordered);
  return { text, left, right, wordRectangles: findWordRectangles(ordered, text) };
}

const ALEF = /^[اأإآ]$/;

const LAM = 'ل';

const LATIN_BEFORE_RIGHT_TO_LEFT = /([\p{Script=Latin}\p{N}])(?=[\p{Script=Arabic}\p{Script=Hebrew}])/gu;

/** Matches tatweels, which stretch Arabic lines and are not letters. */
const TATWEEL = /\u0640+/g;

/**
 * Matches a space, a vowel mark and a letter: in a right-to-left line, pdfium returns a vowel mark before the letter
 * that it belongs to.
 */
const MARK_BEFORE_LETTER = /\s([\u064b-\u0652])(\p{Script=Arabic})/gu;

/**
 * Converts glyphs in reading order to text. Repairs right-to-left lines: pdfium swaps the two letters of a lam-alef
 * ligature, and omits the space after a Latin word.
 */
function convertGlyphsToText(glyphs: readonly Glyph[]): string {
  const characters = glyphs.map((glyph) => glyph.text);
  for (const [index, glyph] of glyphs.entries()) {
    const next = glyphs[index + 1];
    if (next?.text === LAM && ALEF.test(glyph.text) && next.left >= glyph.left) {
      characters[index] = LAM;
      characters[index + 1] = glyph.text;
    }
  }
  const written = characters.join('');
  if (!RIGHT_TO_LEFT.test(written)) return written.replace(/\s+/g, ' ').trim();
  const text = written
    .replace(TATWEEL, '')
    .replace(LATIN_BEFORE_RIGHT_TO_LEFT, '$1 ')
    .replace(MARK_BEFORE_LETTER, '$2$1')
    .replace(/\s+/g, ' ')
    .trim();
  return fixMirroredBrackets(text);
}

/** Returns the upper median of numbers; 0 if there are none. */
export function computeMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
