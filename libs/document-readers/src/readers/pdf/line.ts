import { RIGHT_TO_LEFT, withBracketsTurned } from './brackets.js';
import { inOrderOfReading } from './directions.js';
import { isCurrencySign, withSignsAtTheirAmounts } from './currency-signs.js';
import { boxOf } from './glyph-box.js';
import type { Glyph } from './glyphs.js';
import { withListMark } from './list-marks.js';
import { type Segment } from './segment.js';

/** A line of a page, in points from the page's lower left corner. */
export interface Line {
  readonly segments: readonly Segment[];
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** Of most of its characters. */
  readonly size: number;
  readonly bold: boolean;
  /** Runs as most text of its page does. */
  readonly upright: boolean;
  /** Its last word goes on in the next line; the hyphen itself is not part of the text. */
  readonly hyphenated: boolean;
  /** A row of a table, however few cells it has. */
  readonly ofTable?: true;
}

/** Between two words of justified prose there can be a whole em; between two cells there is more. */
const CELL_GAP = 1.25;

const PART_GAP = 0.55;

/** In characters: prose is longer, and its spaces say nothing. */
const LONGEST_ROW = 80;

const CELL_SEPARATOR = ' | ';

export function textOf(line: Line): string {
  return line.segments.map((segment) => segment.text).join(CELL_SEPARATOR);
}

export function isRow(line: Line): boolean {
  return line.segments.length > 1 || line.ofTable === true;
}

export function letters(line: Line): number {
  return line.segments.reduce((sum, segment) => sum + segment.text.length, 0);
}

/** @param glyphs upright @param cuts where cells end that no wide gap shows @returns undefined when nothing but white space is drawn */
export function lineOf(glyphs: readonly Glyph[], cuts: readonly number[] = []): Line | undefined {
  const drawn = glyphs.filter((glyph) => glyph.drawn);
  if (drawn.length === 0) return undefined;
  const hyphenated = glyphs.at(-1)?.hyphen === true;
  const shown = hyphenated ? glyphs.slice(0, -1) : glyphs;
  return {
    segments: withListMark(segmentsOf(shown, cuts)),
    ...boxOf(drawn),
    size: median(drawn.map((glyph) => glyph.size)),
    bold: drawn.filter((glyph) => glyph.bold).length > drawn.length / 2,
    upright: true,
    hyphenated,
  };
}

/**
 * Cuts a line at its wide gaps. They are sought among the places where nothing is drawn, not between one character and the
 * next: in a line of two directions, the next character can stand elsewhere.
 */
function segmentsOf(glyphs: readonly Glyph[], cuts: readonly number[]): readonly Segment[] {
  const gaps = gapsIn(glyphs.filter(({ drawn }) => drawn));
  const wide = [...gaps.filter(({ width }) => width > CELL_GAP).map(({ at }) => at), ...cuts];
  const cells = wide.length === 0 ? [glyphs] : withSignsAtTheirAmounts(cutAt(wide, glyphs));
  const isShort = gaps.length > 0 && glyphs.length <= LONGEST_ROW;
  return cells.map((cell) => (isShort ? withParts(cell, gaps) : segmentOf(cell))).filter(({ text }) => text !== '');
}

function withParts(cell: readonly Glyph[], gaps: readonly Gap[]): Segment {
  const whole = segmentOf(cell);
  const inside = gaps.map(({ at }) => at).filter((at) => at > whole.left && at < whole.right);
  return inside.length === 0 ? whole : { ...whole, parts: cutAt(inside, cell).map(segmentOf) };
}

function cutAt(gaps: readonly number[], glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const pieces: Glyph[][] = [[]];
  let place = 0;
  for (const glyph of glyphs) {
    const here = glyph.drawn ? gaps.filter((gap) => gap < glyph.left).length : place;
    if (here !== place && !isCurrencySign(pieces.at(-1))) pieces.push([]);
    place = here;
    pieces.at(-1)?.push(glyph);
  }
  return pieces;
}

interface Gap {
  /** Where it begins. */
  readonly at: number;
  /** In ems. */
  readonly width: number;
}

/** Those that are wider than most spaces, from left to right. */
function gapsIn(drawn: readonly Glyph[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let end = Infinity;
  for (const glyph of drawn.toSorted((one, other) => one.left - other.left)) {
    const width = (glyph.left - end) / glyph.size;
    if (width > PART_GAP) gaps.push({ at: end, width });
    end = Math.max(glyph.right, end === Infinity ? -Infinity : end);
  }
  return gaps;
}

function segmentOf(glyphs: readonly Glyph[]): Segment {
  const { left, right } = boxOf(glyphs);
  return { text: readable(glyphs), left, right };
}

const ALEF = /^[اأإآ]$/;

const LAM = 'ل';

const LEFT_TO_RIGHT_THEN_RIGHT_TO_LEFT = /([\p{Script=Latin}\p{N}])(?=[\p{Script=Arabic}\p{Script=Hebrew}])/gu;

/** Arabic lines are justified by stretching their words: such a stroke is no letter. */
const STRETCH = /\u0640+/g;

/** A vowel mark that is drawn over a letter comes before it in such a line, with a space. */
const MARK_BEFORE_ITS_LETTER = /\s([\u064b-\u0652])(\p{Script=Arabic})/gu;

/**
 * Characters to text. A lam-alef is one glyph for two letters: pdfium turns a right-to-left line around letter by letter, so that
 * these two come out the wrong way round, the second letter in the place of the first or to its right; and it loses the space behind a Latin word in such a line.
 */
function readable(shown: readonly Glyph[]): string {
  const glyphs = inOrderOfReading(shown);
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
    .replace(STRETCH, '')
    .replace(LEFT_TO_RIGHT_THEN_RIGHT_TO_LEFT, '$1 ')
    .replace(MARK_BEFORE_ITS_LETTER, '$2$1')
    .replace(/\s+/g, ' ')
    .trim();
  return withBracketsTurned(text);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
