import type { Glyph } from './glyphs.js';

/** Characters one after the other, until a line ends or one of them is raised or lowered. */
export interface Run {
  readonly glyphs: readonly Glyph[];
  /** For pdfium it is of one line with the run before, so the spaces between them are there. */
  readonly isPart: boolean;
}

/** pdfium misses the ends of most lines or of few. */
const MOST = 2;
/** In ems, from the middle of one character to that of the next: more than between a quotation mark and a comma behind it. */
const ELSEWHERE = 0.7;
const NEXT_BELOW = 1.5;
const WRITTEN_DOWN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}ー]/u;

/**
 * A page's runs. Where its columns are narrow, and where its text is turned, pdfium takes it for text that is written down the
 * page, and does not see where lines end: then they are told by where the characters stand.
 */
export function runsOf(glyphs: readonly Glyph[]): readonly Run[] {
  const seen = runsUntilLineEnds(glyphs);
  const told = seen.flatMap(partsOf);
  return told.length > MOST * seen.length ? told : seen.map((run) => ({ glyphs: run, isPart: false }));
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
  const parts: Glyph[][] = [[]];
  let last: Glyph | undefined;
  for (const glyph of run) {
    if (glyph.drawn && last !== undefined && isElsewhere(last, glyph)) parts.push([]);
    parts.at(-1)?.push(glyph);
    if (glyph.drawn) last = glyph;
  }
  return parts.map((part, index) => ({ glyphs: part, isPart: index > 0 }));
}

/** Whether a character stands so far above or below another that it cannot be of its line, unless what is around them says so. */
function isElsewhere(one: Glyph, other: Glyph): boolean {
  const down = (one.bottom + one.top - other.bottom - other.top) / 2 / Math.max(one.size, other.size);
  return Math.abs(down) > ELSEWHERE && !(down < NEXT_BELOW && isBelow(one, other));
}

/** As the next character stands where lines are written down the page. */
function isBelow(one: Glyph, other: Glyph): boolean {
  const isAligned = one.left < other.right && other.left < one.right;
  return isAligned && WRITTEN_DOWN.test(one.text) && WRITTEN_DOWN.test(other.text);
}
