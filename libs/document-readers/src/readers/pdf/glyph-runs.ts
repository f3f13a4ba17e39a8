import type { Glyph } from './glyphs.js';

/** Characters one after the other, until a line ends or one of them is raised or lowered. */
export interface Run {
  readonly glyphs: readonly Glyph[];
  /** For pdfium it is of one line with the run before, so the spaces between them are there. */
  readonly isPart: boolean;
}

/** Of the lines that pdfium sees, how many there are at least where it misses too many ends to be believed. */
const TOO_MANY = 1.25;
/** In ems, from the middle of one character to that of the next: more than between a quotation mark and a comma behind it. */
const ELSEWHERE = 0.7;
const NEXT_BELOW = 1.5;
/** In ems: the lines of two columns need not stand beside each other. */
const STAGGERED = 0.3;
const GUTTER = 1;
const WRITTEN_DOWN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}ー]/u;

/**
 * A page's runs. Where its columns are narrow, and where its text is turned, pdfium takes it for text that is written down the
 * page, and does not see where lines end: then they are told by where the characters stand.
 */
export function runsOf(glyphs: readonly Glyph[]): readonly Run[] {
  const seen = runsUntilLineEnds(glyphs);
  const told = seen.reduce((sum, run) => sum + beginsOfParts(run).length, 0);
  if (told <= TOO_MANY * seen.length) return seen.map((run) => ({ glyphs: run, isPart: false }));
  return seen.flatMap(partsOf);
}

function runsUntilLineEnds(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const runs: Glyph[][] = [[]];
  for (const glyph of glyphs) {
    if (glyph.text === '\r') continue;
    if (glyph.text !== '\n') runs.at(-1)?.push(glyph);
    // pdfium joins the parts of a word over a line end. Its first part is a line all the same.
    if (glyph.text === '\n' || glyph.hyphen) runs.push([]);
  }
  return runs.filter((run) => run.some(({ drawn }) => drawn));
}

function partsOf(run: readonly Glyph[]): readonly Run[] {
  const begins = beginsOfParts(run);
  return begins.map((begin, index) => ({ glyphs: run.slice(begin, begins[index + 1]), isPart: index > 0 }));
}

function beginsOfParts(run: readonly Glyph[]): readonly number[] {
  const begins = [0];
  let last: Glyph | undefined;
  for (let index = 0; index < run.length; index += 1) {
    const glyph = run[index];
    if (glyph?.drawn !== true) continue;
    if (last !== undefined && isElsewhere(last, glyph)) begins.push(index);
    last = glyph;
  }
  return begins;
}

/** Whether a character stands so far from another that it cannot be of its line, unless what is around them says so. */
function isElsewhere(one: Glyph, other: Glyph): boolean {
  const size = Math.max(one.size, other.size);
  const down = (one.bottom + one.top - other.bottom - other.top) / 2 / size;
  if (Math.abs(down) > ELSEWHERE) return !(down < NEXT_BELOW && isBelow(one, other));
  return Math.abs(down) > STAGGERED && other.left - one.right > GUTTER * size;
}

/** As the next character stands where lines are written down the page. */
function isBelow(one: Glyph, other: Glyph): boolean {
  const isAligned = one.left < other.right && other.left < one.right;
  return isAligned && WRITTEN_DOWN.test(one.text) && WRITTEN_DOWN.test(other.text);
}
