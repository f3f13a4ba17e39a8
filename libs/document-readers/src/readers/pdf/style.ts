import { letters, type Line } from './line.js';

/** How the document's running text looks, and its headings by rank. */
export interface Style {
  readonly bodySize: number;
  readonly bodyIsBold: boolean;
}

const LARGER = 1.15;
const MAX_LEVEL = 6;
const MAX_LENGTH = 160;
const MAX_LINES = 3;
const MAX_BOLD_LINES = 2;

export function styleOf(lines: readonly Line[]): Style {
  return { bodySize: mostCommon(lines, sizeOf) ?? 0, bodyIsBold: mostCommon(lines, (line) => line.bold) ?? false };
}

/** To half a point: that is as exact as an eye is. */
export function sizeOf(line: Line): number {
  return Math.round(line.size * 2) / 2;
}

export function looksLikeHeading(line: Line, style: Style): boolean {
  return isLarger(line, style) || isBolder(line, style);
}

/** Whether a paragraph is a heading: it looks like one, is short, has words, and is no sentence. */
export function isHeading(lines: readonly Line[], text: string, style: Style): boolean {
  if (text.length > MAX_LENGTH || lines.length > MAX_LINES || !/\p{L}{2}/u.test(text)) return false;
  if (lines.every((line) => isLarger(line, style))) return true;
  return lines.length <= MAX_BOLD_LINES && lines.every((line) => isBolder(line, style)) && !/[.,;]$/.test(text);
}

/** From 1: the largest headings of the document first, then bold ones in the size of the text. */
export function levelsOf(headings: readonly Line[], style: Style): (line: Line) => number {
  const rank = (line: Line): number => (isLarger(line, style) ? sizeOf(line) : style.bodySize);
  const ranks = [...new Set(headings.map(rank))].toSorted((a, b) => b - a);
  return (line) => Math.min(ranks.indexOf(rank(line)) + 1, MAX_LEVEL);
}

function isLarger(line: Line, style: Style): boolean {
  return line.upright && line.size >= style.bodySize * LARGER;
}

function isBolder(line: Line, style: Style): boolean {
  return line.upright && line.bold && !style.bodyIsBold && line.size >= style.bodySize * 0.9;
}

function mostCommon<Value>(lines: readonly Line[], valueOf: (line: Line) => Value): Value | undefined {
  const counts = new Map<Value, number>();
  for (const line of lines) counts.set(valueOf(line), (counts.get(valueOf(line)) ?? 0) + letters(line));
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
