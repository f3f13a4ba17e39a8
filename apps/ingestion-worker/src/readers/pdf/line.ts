import { RIGHT_TO_LEFT, withBracketsTurned } from './brackets.js';
import { inOrderOfReading } from './directions.js';
import { boxOf } from './glyph-box.js';
import type { Glyph } from './pdfium.js';

/** A run of text without a wide gap: a whole line of prose, or a cell of a table. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

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
  readonly upright: boolean;
  /** Its last word goes on in the next line; the hyphen itself is not part of the text. */
  readonly hyphenated: boolean;
}

/** Between two words of justified prose there can be a whole em; between two cells there is more. */
const CELL_GAP = 1.25;
const CELL_SEPARATOR = ' | ';

export function textOf(line: Line): string {
  return line.segments.map((segment) => segment.text).join(CELL_SEPARATOR);
}

export function letters(line: Line): number {
  return line.segments.reduce((sum, segment) => sum + segment.text.length, 0);
}

/** @param cuts where cells end that no wide gap shows @returns undefined when nothing but white space is drawn */
export function lineOf(glyphs: readonly Glyph[], cuts: readonly number[] = []): Line | undefined {
  const drawn = glyphs.filter((glyph) => glyph.drawn);
  if (drawn.length === 0) return undefined;
  const hyphenated = glyphs.at(-1)?.hyphen === true;
  const shown = hyphenated ? glyphs.slice(0, -1) : glyphs;
  return {
    segments: segmentsOf(shown, cuts),
    ...boxOf(drawn),
    size: median(drawn.map((glyph) => glyph.size)),
    bold: drawn.filter((glyph) => glyph.bold).length > drawn.length / 2,
    upright: drawn.some((glyph) => glyph.upright),
    hyphenated,
  };
}

/**
 * Cuts a line at its wide gaps. They are sought among the places where nothing is drawn, not between one character and the
 * next: in a line of two directions, the next character can stand elsewhere.
 */
function segmentsOf(glyphs: readonly Glyph[], cuts: readonly number[]): readonly Segment[] {
  const gaps = [...wideGaps(glyphs.filter(({ drawn }) => drawn)), ...cuts];
  if (gaps.length === 0) return [segmentOf(glyphs)].filter(({ text }) => text !== '');
  const segments: Glyph[][] = [[]];
  let place = 0;
  for (const glyph of glyphs) {
    const here = glyph.drawn ? gaps.filter((gap) => gap < glyph.left).length : place;
    if (here !== place && !isCurrencySign(segments.at(-1))) segments.push([]);
    place = here;
    segments.at(-1)?.push(glyph);
  }
  return segments.map(segmentOf).filter((segment) => segment.text !== '');
}

/** Where gaps begin, from left to right. */
function wideGaps(drawn: readonly Glyph[]): readonly number[] {
  const gaps: number[] = [];
  let end = Infinity;
  for (const glyph of drawn.toSorted((one, other) => one.left - other.left)) {
    if (glyph.left - end > CELL_GAP * glyph.size) gaps.push(end);
    end = Math.max(glyph.right, end === Infinity ? -Infinity : end);
  }
  return gaps;
}

/** In tables of money the sign stands apart from its amount. */
function isCurrencySign(glyphs: readonly Glyph[] = []): boolean {
  return /^\s*\p{Sc}\s*$/u.test(glyphs.map((glyph) => glyph.text).join(''));
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
