import { cutsOfColumns } from './aligned-cells.js';
import { boxOf } from './glyph-box.js';
import { runsOf } from './glyph-runs.js';
import { mainTurnOf, type Glyph } from './glyphs.js';
import { lineOf, type Line } from './line.js';
import type { Page } from './pdfium.js';
import { turnedBack, turnedUpright } from './turned-glyphs.js';
import { withWritten } from './written-glyphs.js';

/** How much of the lower of two runs must stand beside the other for both to be one line: a footnote's mark is half a line up. */
const BESIDE = 0.4;
/** The lines of two columns that are staggered share half. */
const BESIDE_SAME_SIZE = 0.6;
/** A run that begins further back than this, in ems, is not the same line going on. */
const BACKWARDS = 0.5;
/** Of the size of the line's letters: raised and lowered characters are smaller. */
const SMALL = 0.85;
/** In ems. */
const WORD_GAP = 0.15;

/** A page's lines, in the order of its content. Those that run in another direction than most, up the side of the page, come first. */
export function linesOfPage({ glyphs, annotations }: Page): readonly Line[] {
  return turnedUpright(glyphs).flatMap(({ glyphs: upright, aside }) => {
    const lines = joinedRuns(upright);
    if (aside === 0) return linesOf(withWritten(lines, annotations, mainTurnOf(glyphs)));
    return linesOf(lines).map((line) => ({ ...line, ...turnedBack(line, aside), upright: false }));
  });
}

/** pdfium ends a line at every raised or lowered character; those are put together again. */
function joinedRuns(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const lines: Glyph[][] = [];
  for (const run of runsOf(glyphs)) {
    const before = lines.at(-1);
    if (before === undefined || !goesOn(before, run.glyphs)) lines.push([...run.glyphs]);
    else before.push(...(run.isPart ? [] : [joint(before, run.glyphs)]), ...run.glyphs);
  }
  return lines;
}

function linesOf(lines: readonly (readonly Glyph[])[]): readonly Line[] {
  const cuts = cutsOfColumns(lines.map((line) => line.filter(({ drawn }) => drawn)));
  return lines.map((line, index) => lineOf(line, cuts[index])).filter((line) => line !== undefined);
}

function goesOn(line: readonly Glyph[], run: readonly Glyph[]): boolean {
  if (line.at(-1)?.hyphen === true) return false;
  const one = boxOf(line);
  const other = boxOf(run);
  const shared = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  const lower = Math.min(one.top - one.bottom, other.top - other.bottom);
  const sizes = [line[0]?.size ?? 0, run[0]?.size ?? 0];
  const size = Math.max(...sizes);
  const beside = Math.min(...sizes) < SMALL * size ? BESIDE : BESIDE_SAME_SIZE;
  return shared > beside * lower && other.left > endOf(line, run) - BACKWARDS * size;
}

/** A subscript can stand below the superscript before it: both begin where the letter ends that they belong to. */
function endOf(line: readonly Glyph[], run: readonly Glyph[]): number {
  const size = Math.max(...line.map((glyph) => glyph.size));
  const isSmall = (glyphs: readonly Glyph[]): boolean =>
    glyphs.every((glyph) => !glyph.drawn || glyph.size < SMALL * size);
  const lastLarge = line.findLastIndex((glyph) => glyph.drawn && glyph.size >= SMALL * size);
  return isSmall(run) && lastLarge >= 0 ? boxOf(line.slice(0, lastLarge + 1)).right : boxOf(line).right;
}

/** A raised mark stands close to its word and belongs to it; what stands apart gets a space. */
function joint(line: readonly Glyph[], run: readonly Glyph[]): Glyph {
  const { right, bottom, top } = boxOf(line);
  const { left } = boxOf(run);
  const size = run[0]?.size ?? 0;
  const text = left - right > WORD_GAP * size ? ' ' : '';
  return {
    text,
    drawn: false,
    left: right,
    right: left,
    bottom,
    top,
    size,
    bold: run[0]?.bold ?? false,
    turn: 0,
    hyphen: false,
  };
}
