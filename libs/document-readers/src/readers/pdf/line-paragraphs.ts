import { isRowOfCells, getLineText, type Line } from './line.js';
import { createListMarkerCheck } from './list-markers.js';
import { hasHeadingFont, type Style } from './style.js';

export interface PageLine extends Line {
  /** Number of the page that contains the line, from 1. */
  readonly page: number;
  /** True for a running foot that was moved to the end of the document. Absent: false. */
  readonly isMovedFoot?: boolean;
}

/**
 * Share of the column width above which a line counts as full. It is below 1, because full lines of ragged text also
 * end before the margin.
 */
const MIN_FULL_SHARE = 0.85;
/**
 * Share of the column width above which a line without a sentence end continues in the next line. A shorter line
 * continues only if the next line begins in lower case.
 */
const MIN_OPEN_SHARE = 0.6;
const SENTENCE_END = /[.!?:;。！？：；]["”’»)\]]*$/u;
const NEIGHBOURS = 4;

/** Returns whether a line begins a list item. */
export type ListItemCheck = (line: Line) => boolean;

/** Creates a check for the lines of a document. */
export function createListItemCheck(lines: readonly Line[]): ListItemCheck {
  const hasListMarker = createListMarkerCheck(lines.map(getLineText));
  return (line) => hasListMarker(getLineText(line));
}

/** Groups lines in reading order into paragraphs. Each row of a table becomes a paragraph. */
export function groupIntoParagraphs(
  lines: readonly PageLine[],
  style: Style,
  isListItem: ListItemCheck,
): readonly (readonly PageLine[])[] {
  const lineSpacing = measureLineSpacing(lines);
  const paragraphs: PageLine[][] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const width = before === undefined ? 0 : measureColumnWidth(lines, index - 1);
    if (before !== undefined && isContinuedInNextLine(before, line, { width, lineSpacing, style, isListItem }))
      paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

interface Layout {
  /** Width of the column of the line whose continuation is checked, in points. */
  readonly width: number;
  readonly lineSpacing: number;
  readonly style: Style;
  readonly isListItem: ListItemCheck;
}

function isContinuedInNextLine(line: PageLine, next: PageLine, layout: Layout): boolean {
  if (line.isMovedFoot !== next.isMovedFoot) return false;
  if (line.hyphenated) return true;
  if (isRowOfCells(line) || isRowOfCells(next) || layout.isListItem(next)) return false;
  const filledShare = (line.right - line.left) / layout.width;
  const isSentenceOpen = !SENTENCE_END.test(getLineText(line));
  if (!hasSameStyle(line, next, layout.style, isSentenceOpen && filledShare > MIN_FULL_SHARE)) return false;
  const startsInLowerCase = /^\p{Ll}/u.test(getLineText(next));
  const distanceBetween = getVerticalMiddle(line) - getVerticalMiddle(next);
  if (line.page !== next.page || distanceBetween <= 0)
    return isSentenceOpen && (startsInLowerCase || filledShare > MIN_FULL_SHARE);
  if (distanceBetween > getMaxLineDistance(line, layout)) return false;
  if (isSentenceOpen) return startsInLowerCase || filledShare > MIN_OPEN_SHARE;
  const indented = next.left > line.left + line.size * 0.8 && !layout.isListItem(line);
  return filledShare > MIN_FULL_SHARE && !indented;
}

/**
 * Returns whether two lines have the same style. If `insideSentence` is true, ignores bold type, because bold words
 * inside a sentence are not a heading.
 */
function hasSameStyle(line: Line, next: Line, style: Style, insideSentence: boolean): boolean {
  const sameSize = Math.abs(line.size - next.size) <= 0.1 * Math.max(line.size, next.size);
  const sameRank = insideSentence || hasHeadingFont(line, style) === hasHeadingFont(next, style);
  return line.upright === next.upright && sameSize && sameRank;
}

/** Returns the maximum vertical distance between a line and the next line of the same paragraph, in points. */
function getMaxLineDistance(line: Line, { lineSpacing, style }: Layout): number {
  return hasHeadingFont(line, style) ? line.size * 1.6 : Math.max(lineSpacing * 1.3, line.size * 1.1);
}

/** Measures the usual vertical distance between two lines of a paragraph, in points. */
function measureLineSpacing(lines: readonly PageLine[]): number {
  const distances: number[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next?.page !== line.page || line.segments.length > 1) continue;
    const distanceBetween = getVerticalMiddle(line) - getVerticalMiddle(next);
    if (distanceBetween > line.size * 0.7 && distanceBetween < line.size * 3) distances.push(distanceBetween);
  }
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length * 0.4)] ?? 0;
}

/** Measures the width of a line's column, that is, of the nearby lines that overlap the line horizontally. */
function measureColumnWidth(lines: readonly PageLine[], index: number): number {
  const line = lines[index];
  if (line === undefined) return 0;
  const near = lines
    .slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1)
    .filter((other) => other.page === line.page && other.left < line.right && other.right > line.left);
  return Math.max(...near.map((other) => other.right)) - Math.min(...near.map((other) => other.left));
}

function getVerticalMiddle(line: Line): number {
  return (line.top + line.bottom) / 2;
}
