import { RIGHT_TO_LEFT } from './brackets.js';
import type { Glyph } from './glyphs.js';

const LETTER = /\p{L}/u;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/**
 * In a line of two directions pdfium turns words around one by one. So several words of the other direction (`ISO 9001` in Hebrew, two
 * Hebrew words in English) come out last word first; where they stand across the page tells their order. Of a name and a number
 * beside each other, the page does not tell which is first: the name is, as in most texts.
 *
 * @param glyphs of a line, or a part of it @returns the same, each run of words in the order in which it is read
 */
export function inOrderOfReading(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (!glyphs.some(isFromRight)) return glyphs;
  const ordered = [...glyphs];
  for (const run of runsWithout(isFromRight, glyphs, ({ text }) => LETTER_OR_NUMBER.test(text))) {
    if (glyphs.slice(run.from, run.until).some(isFromLeft)) sortWords(ordered, run, fromLeft);
  }
  for (const run of runsWithout(isFromLeft, glyphs, isFromRight)) sortWords(ordered, run, fromRight);
  return ordered;
}

function isFromRight({ text }: Glyph): boolean {
  return RIGHT_TO_LEFT.test(text);
}

function isFromLeft({ text }: Glyph): boolean {
  return LETTER.test(text) && !RIGHT_TO_LEFT.test(text);
}

/** Places in a list of glyphs; `until` is behind the last. */
interface Run {
  readonly from: number;
  readonly until: number;
}

type Is = (glyph: Glyph) => boolean;

/** From one glyph that begins a run to the last that ends it before one comes that is none of it. */
function runsWithout(isOther: Is, glyphs: readonly Glyph[], isEdge: Is): readonly Run[] {
  const runs: Run[] = [];
  let from: number | undefined;
  let until = 0;
  for (const [index, glyph] of glyphs.entries()) {
    if (isOther(glyph)) {
      if (from !== undefined) runs.push({ from, until });
      from = undefined;
    } else if (isEdge(glyph)) {
      from ??= index;
      until = index + 1;
    }
  }
  return from === undefined ? runs : [...runs, { from, until }];
}

type Word = readonly Glyph[];

/** What stands between the words of a run stays between the first one and the second, and so on. */
function sortWords(glyphs: Glyph[], { from, until }: Run, order: (one: Word, other: Word) => number): void {
  const words: Glyph[][] = [[]];
  const spaces: Glyph[][] = [];
  for (const [index, glyph] of glyphs.slice(from, until).entries()) {
    const isSpace = !glyph.drawn;
    const wasSpace = index > 0 && spaces.length === words.length;
    if (isSpace && !wasSpace) spaces.push([glyph]);
    else if (isSpace) spaces.at(-1)?.push(glyph);
    else if (wasSpace) words.push([glyph]);
    else words.at(-1)?.push(glyph);
  }
  const sorted = words.toSorted(order).flatMap((word, index) => [...word, ...(spaces[index] ?? [])]);
  glyphs.splice(from, until - from, ...sorted);
}

function fromLeft(one: Word, other: Word): number {
  return leftOf(one) - leftOf(other);
}

function fromRight(one: Word, other: Word): number {
  return leftOf(other) - leftOf(one);
}

function leftOf(word: Word): number {
  return Math.min(...word.map(({ left }) => left));
}
