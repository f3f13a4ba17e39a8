import { isRow, textOf, type Line } from './line.js';
import { hasListMark } from './list-marks.js';
import { looksLikeHeading, type Style } from './style.js';

export interface PageLine extends Line {
  /** From 1. */
  readonly page: number;
}

/** Shares of the column's width. A line of ragged text ends before the margin, the last line of a paragraph well before it. */
const FULL = 0.85;
const HALF_FULL = 0.6;
const SENTENCE_END = /[.!?:;。！？：；]["”’»)\]]*$/u;
const NEIGHBOURS = 4;

export function isListItem(line: Line): boolean {
  return hasListMark(textOf(line));
}

/** Lines in reading order to paragraphs. A row of a table is a paragraph by itself. */
export function paragraphsOf(lines: readonly PageLine[], style: Style): readonly (readonly PageLine[])[] {
  const pitch = pitchOf(lines);
  const paragraphs: PageLine[][] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const width = before === undefined ? 0 : columnWidth(lines, index - 1);
    if (before !== undefined && goesOn(before, line, { width, pitch, style })) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

interface Layout {
  /** Of the column that the first line stands in. */
  readonly width: number;
  readonly pitch: number;
  readonly style: Style;
}

function goesOn(line: PageLine, next: PageLine, layout: Layout): boolean {
  if (line.hyphenated) return true;
  if (isRow(line) || isRow(next) || isListItem(next)) return false;
  const filled = (line.right - line.left) / layout.width;
  const open = !SENTENCE_END.test(textOf(line));
  if (!looksAlike(line, next, layout.style, open && filled > FULL)) return false;
  const goesOnSmall = /^\p{Ll}/u.test(textOf(next));
  const distance = middle(line) - middle(next);
  if (line.page !== next.page || distance <= 0) return open && (goesOnSmall || filled > FULL);
  if (distance > farthest(line, layout)) return false;
  if (open) return goesOnSmall || filled > HALF_FULL;
  const indented = next.left > line.left + line.size * 0.8 && !isListItem(line);
  return filled > FULL && !indented;
}

/** In the middle of a sentence, words in bold are no heading. */
function looksAlike(line: Line, next: Line, style: Style, insideSentence: boolean): boolean {
  const sameSize = Math.abs(line.size - next.size) <= 0.1 * Math.max(line.size, next.size);
  const sameRank = insideSentence || looksLikeHeading(line, style) === looksLikeHeading(next, style);
  return line.upright === next.upright && sameSize && sameRank;
}

/** How far below a line the next line of its paragraph can be. */
function farthest(line: Line, { pitch, style }: Layout): number {
  return looksLikeHeading(line, style) ? line.size * 1.6 : Math.max(pitch * 1.3, line.size * 1.1);
}

/** The usual distance from one line of a paragraph to the next. */
function pitchOf(lines: readonly PageLine[]): number {
  const distances: number[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next?.page !== line.page || line.segments.length > 1) continue;
    const distance = middle(line) - middle(next);
    if (distance > line.size * 0.7 && distance < line.size * 3) distances.push(distance);
  }
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length * 0.4)] ?? 0;
}

/** As wide as the lines near this one that stand above or below it. */
function columnWidth(lines: readonly PageLine[], index: number): number {
  const line = lines[index];
  if (line === undefined) return 0;
  const near = lines
    .slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1)
    .filter((other) => other.page === line.page && other.left < line.right && other.right > line.left);
  return Math.max(...near.map((other) => other.right)) - Math.min(...near.map((other) => other.left));
}

function middle(line: Line): number {
  return (line.top + line.bottom) / 2;
}
