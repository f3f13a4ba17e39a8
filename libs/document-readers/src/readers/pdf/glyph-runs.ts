import type { Glyph } from './glyphs.js';

/** Describes consecutive glyphs, up to a line end or a raised or lowered character. */
export interface GlyphRun {
  readonly glyphs: readonly Glyph[];
  /**
   * True if pdfium puts the run in the line of the previous run. In that case, the previous run ends with the space
   * between the two runs.
   */
  readonly continuesLine: boolean;
}

/**
 * Maximum average number of parts per line of a page. pdfium detects the lines, and the positions of glyphs determine
 * the parts. Above this number, each part becomes a run. Otherwise, each line becomes a run.
 */
const MAX_PART_RATIO = 1.25;
/**
 * Maximum vertical distance between the centres of two glyphs of one line, in ems. It exceeds the distance between a
 * quotation mark and a comma after it.
 */
const MAX_BASELINE_SHIFT = 0.7;
const MAX_VERTICAL_ADVANCE = 1.5;
/** Minimum vertical offset of two glyphs on opposite sides of a gutter that belong to different lines, in ems. */
const MIN_STAGGER = 0.3;
const MIN_GUTTER = 1;
const VERTICAL_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}ー]/u;

/**
 * Splits the glyphs of a page into runs at the line ends that pdfium detects. pdfium misses line ends if it mistakes
 * narrow columns or rotated text for vertical text. In that case, also splits the runs by the positions of the glyphs.
 */
export function splitIntoRuns(glyphs: readonly Glyph[]): readonly GlyphRun[] {
  const runs = splitAtLineEnds(glyphs);
  const partCount = runs.reduce((sum, run) => sum + findPartStarts(run).length, 0);
  if (partCount <= MAX_PART_RATIO * runs.length) return runs.map((run) => ({ glyphs: run, continuesLine: false }));
  return runs.flatMap(splitRunIntoParts);
}

function splitAtLineEnds(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const runs: Glyph[][] = [[]];
  for (const glyph of glyphs) {
    if (glyph.text === '\r') continue;
    if (glyph.text !== '\n') runs.at(-1)?.push(glyph);
    // pdfium returns no line end inside a hyphenated word, so the hyphen ends the line.
    if (glyph.text === '\n' || glyph.hyphen) runs.push([]);
  }
  return runs.filter((run) => run.some(({ visible }) => visible));
}

function splitRunIntoParts(run: readonly Glyph[]): readonly GlyphRun[] {
  const starts = findPartStarts(run);
  return starts.map((start, index) => ({ glyphs: run.slice(start, starts[index + 1]), continuesLine: index > 0 }));
}

function findPartStarts(run: readonly Glyph[]): readonly number[] {
  const starts = [0];
  let last: Glyph | undefined;
  for (let index = 0; index < run.length; index += 1) {
    const glyph = run[index];
    if (glyph?.visible !== true) continue;
    if (last !== undefined && areOnDifferentLines(last, glyph)) starts.push(index);
    last = glyph;
  }
  return starts;
}

/** Returns whether the distance between two consecutive glyphs is too large for one line. */
function areOnDifferentLines(one: Glyph, other: Glyph): boolean {
  const size = Math.max(one.size, other.size);
  const down = (one.bottom + one.top - other.bottom - other.top) / 2 / size;
  if (Math.abs(down) > MAX_BASELINE_SHIFT) return !(down < MAX_VERTICAL_ADVANCE && isNextInVerticalText(one, other));
  return Math.abs(down) > MIN_STAGGER && other.left - one.right > MIN_GUTTER * size;
}

/**
 * Returns whether two consecutive glyphs belong to vertical text: their characters occur in such text, and one is above
 * the other.
 */
function isNextInVerticalText(one: Glyph, other: Glyph): boolean {
  const isAligned = one.left < other.right && other.left < one.right;
  return isAligned && VERTICAL_SCRIPT.test(one.text) && VERTICAL_SCRIPT.test(other.text);
}
