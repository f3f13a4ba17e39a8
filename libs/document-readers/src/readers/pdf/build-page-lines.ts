import { findColumnCuts } from './column-alignment.js';
import { computeBoundingRectangle } from './bounding-rectangle.js';
import { splitIntoRuns } from './glyph-runs.js';
import { findMainRotation, type Glyph } from './glyphs.js';
import { buildLine, type Line } from './line.js';
import type { Page } from './pdfium.js';
import { rotateRectangle, groupByRotation } from './rotated-glyphs.js';
import { insertInlineText } from './inline-text.js';

/**
 * Minimum vertical overlap of two runs of different font sizes in one line, as a share of the smaller height. It is
 * below one half, because a footnote mark is raised by half a line.
 */
const MIN_SHARED_HEIGHT = 0.4;
/**
 * Minimum vertical overlap of two runs of the same font size in one line, as a share of the smaller height. It is above
 * one half, because the lines of two staggered columns overlap by half.
 */
const MIN_SHARED_HEIGHT_SAME_SIZE = 0.6;
/**
 * Maximum horizontal overlap of a line and a run that continues the line, in ems: the run can begin before the end of
 * the line.
 */
const MAX_STEP_BACK = 0.5;
/** Maximum font size of raised and lowered characters, as a share of the largest font size of the line. */
const MAX_SCRIPT_SIZE = 0.85;
/** Minimum gap between two runs of a line that becomes a space, in ems. */
const WORD_GAP = 0.15;

/**
 * Builds the lines of a page in content order, that is, as the PDF draws them. Lines whose text runs in another
 * direction than most text of the page, such as text along its side, come first.
 */
export function buildPageLines({ glyphs, annotations }: Page): readonly Line[] {
  return groupByRotation(glyphs).flatMap(({ glyphs: upright, relativeRotation }) => {
    const lines = groupRunsIntoLines(upright);
    if (relativeRotation === 0) return buildLines(insertInlineText(lines, annotations, findMainRotation(glyphs)));
    return buildLines(lines).map((line) => ({ ...line, ...rotateRectangle(line, relativeRotation), upright: false }));
  });
}

/** Joins runs of glyphs into lines, because pdfium ends a line at each raised or lowered character. */
function groupRunsIntoLines(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const lines: Glyph[][] = [];
  for (const run of splitIntoRuns(glyphs)) {
    const before = lines.at(-1);
    if (before === undefined || !isPartOfLine(before, run.glyphs)) lines.push([...run.glyphs]);
    else before.push(...(run.continuesLine ? [] : [createSpaceGlyphBetween(before, run.glyphs)]), ...run.glyphs);
  }
  return lines;
}

function buildLines(glyphsByLine: readonly (readonly Glyph[])[]): readonly Line[] {
  const cuts = findColumnCuts(glyphsByLine.map((glyphs) => glyphs.filter(({ visible }) => visible)));
  return glyphsByLine.map((glyphs, index) => buildLine(glyphs, cuts[index])).filter((line) => line !== undefined);
}

function isPartOfLine(line: readonly Glyph[], run: readonly Glyph[]): boolean {
  if (line.at(-1)?.hyphen === true) return false;
  const one = computeBoundingRectangle(line);
  const other = computeBoundingRectangle(run);
  const shared = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  const lower = Math.min(one.top - one.bottom, other.top - other.bottom);
  const sizes = [line[0]?.size ?? 0, run[0]?.size ?? 0];
  const size = Math.max(...sizes);
  const minShare = Math.min(...sizes) < MAX_SCRIPT_SIZE * size ? MIN_SHARED_HEIGHT : MIN_SHARED_HEIGHT_SAME_SIZE;
  return shared > minShare * lower && other.left > findLineEnd(line, run) - MAX_STEP_BACK * size;
}

/**
 * Returns the right edge of a line or, for a run in small type, the right edge of the last large letter in the line:
 * the run can be a subscript below a superscript of the line.
 */
function findLineEnd(line: readonly Glyph[], run: readonly Glyph[]): number {
  const size = Math.max(...line.map((glyph) => glyph.size));
  const isSmallType = (glyphs: readonly Glyph[]): boolean =>
    glyphs.every((glyph) => !glyph.visible || glyph.size < MAX_SCRIPT_SIZE * size);
  const lastLarge = line.findLastIndex((glyph) => glyph.visible && glyph.size >= MAX_SCRIPT_SIZE * size);
  return isSmallType(run) && lastLarge >= 0
    ? computeBoundingRectangle(line.slice(0, lastLarge + 1)).right
    : computeBoundingRectangle(line).right;
}

/**
 * Creates a glyph for the space between a line and a run that continues the line. The text of the glyph is empty if the
 * gap is too narrow for a space, as between a word and its footnote mark.
 */
function createSpaceGlyphBetween(line: readonly Glyph[], run: readonly Glyph[]): Glyph {
  const { right, bottom, top } = computeBoundingRectangle(line);
  const { left } = computeBoundingRectangle(run);
  const size = run[0]?.size ?? 0;
  const text = left - right > WORD_GAP * size ? ' ' : '';
  return {
    text,
    visible: false,
    left: right,
    right: left,
    bottom,
    top,
    size,
    bold: run[0]?.bold ?? false,
    rotation: 0,
    hyphen: false,
  };
}
