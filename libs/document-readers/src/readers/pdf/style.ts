import { countCharacters, type Line } from './line.js';

/** Describes the font of the body text of a document. */
export interface Style {
  readonly bodySize: number;
  readonly bodyIsBold: boolean;
}

const MIN_HEADING_RATIO = 1.15;
const MAX_LEVEL = 6;
const MAX_LENGTH = 160;
const MAX_LINES = 3;
const MAX_BOLD_LINES = 2;

export function detectBodyStyle(lines: readonly Line[]): Style {
  return {
    bodySize: findMostCommonValue(lines, roundFontSize) ?? 0,
    bodyIsBold: findMostCommonValue(lines, (line) => line.bold) ?? false,
  };
}

/** Returns the font size of a line, rounded to half a point, because smaller differences are not visible. */
export function roundFontSize(line: Line): number {
  return Math.round(line.size * 2) / 2;
}

export function hasHeadingFont(line: Line, style: Style): boolean {
  return isLargerThanBody(line, style) || isBolderThanBody(line, style);
}

/**
 * Returns whether a paragraph is a heading: it is short, contains a word, and is larger than the body text. A paragraph
 * in bold type is a heading, too, if it does not end like a sentence.
 */
export function isHeadingParagraph(lines: readonly Line[], text: string, style: Style): boolean {
  if (text.length > MAX_LENGTH || lines.length > MAX_LINES || !/\p{L}{2}/u.test(text)) return false;
  if (lines.every((line) => isLargerThanBody(line, style))) return true;
  return lines.length <= MAX_BOLD_LINES && lines.every((line) => isBolderThanBody(line, style)) && !/[.,;]$/.test(text);
}

/**
 * Creates a function that returns the level of a heading, from 1 for the largest font. Bold headings in the size of the
 * body text have the last level.
 */
export function createHeadingLevelFinder(headings: readonly Line[], style: Style): (line: Line) => number {
  const computeRank = (line: Line): number => (isLargerThanBody(line, style) ? roundFontSize(line) : style.bodySize);
  const ranks = [...new Set(headings.map(computeRank))].toSorted((a, b) => b - a);
  return (line) => Math.min(ranks.indexOf(computeRank(line)) + 1, MAX_LEVEL);
}

function isLargerThanBody(line: Line, style: Style): boolean {
  return line.upright && line.size >= style.bodySize * MIN_HEADING_RATIO;
}

function isBolderThanBody(line: Line, style: Style): boolean {
  return line.upright && line.bold && !style.bodyIsBold && line.size >= style.bodySize * 0.9;
}

function findMostCommonValue<Value>(lines: readonly Line[], valueOf: (line: Line) => Value): Value | undefined {
  const counts = new Map<Value, number>();
  for (const line of lines) counts.set(valueOf(line), (counts.get(valueOf(line)) ?? 0) + countCharacters(line));
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
