import { computeBoundingRectangle, type Rectangle } from './bounding-rectangle.js';
import type { Glyph, Rotation } from './glyphs.js';

/** Describes the rectangles of the words of a segment, in points from the lower left corner of the upright page. */
export interface WordRectangles {
  readonly bottom: number;
  readonly top: number;
  /** Rotation of the segment on the page. The rectangles are relative to the page after this rotation was undone. */
  readonly rotation: Rotation;
  /**
   * Four numbers for each word: the start and end of the word in the text of the segment, and its left and right edge.
   * One list contains all numbers, because a document can have millions of words.
   */
  readonly words: readonly number[];
}

/**
 * Maximum number of characters of a word with one rectangle. A longer word, or text without spaces, gets several
 * rectangles.
 */
const MAX_WORD_CHARACTERS = 8;
/** Height that a word rectangle has above and below the letters, as a share of the font size. */
const MARGIN = 0.1;

/**
 * Finds the words of a segment.
 *
 * @param glyphs glyphs of the segment, in the order of the text
 * @param text text of the segment. If the text differs from the glyphs, as in right-to-left lines, the n-th word of the
 * text has the edges of the n-th word of the glyphs.
 */
export function findWordRectangles(glyphs: readonly Glyph[], text: string): WordRectangles {
  const first = glyphs.find(({ visible }) => visible);
  const { left, right, bottom, top } = computeBoundingRectangle(glyphs);
  const margin = MARGIN * (first?.size ?? 0);
  const edges = { bottom: bottom - margin, top: top + margin, rotation: first?.rotation ?? 0 };
  const words = measureGlyphWords(glyphs);
  if ((words.at(-3) ?? 0) === text.length) return { ...edges, words };
  return { ...edges, words: alignWordsWithText(words, text) ?? [0, text.length, left, right] };
}

/**
 * Splits glyphs into words. Returns four numbers per word: the start and end of the word in a text with single spaces,
 * and its left and right edge.
 */
function measureGlyphWords(glyphs: readonly Glyph[]): number[] {
  const words: number[] = [];
  let [start, end, left, right] = [0, 0, Infinity, -Infinity];
  let isAfterSpace = false;
  const endWord = (next: number): void => {
    if (end > start) words.push(start, end, left, right);
    [start, end, left, right] = [next, next, Infinity, -Infinity];
  };
  for (const glyph of glyphs) {
    if (!glyph.visible) {
      isAfterSpace ||= glyph.text !== '' && end > 0;
      continue;
    }
    if (isAfterSpace) endWord(end + 1);
    else if (end - start >= MAX_WORD_CHARACTERS) endWord(end);
    isAfterSpace = false;
    end += glyph.text.length;
    left = Math.min(left, glyph.left);
    right = Math.max(right, glyph.right);
  }
  endWord(end);
  return words;
}

/**
 * Combines the positions of the words in a text with the edges of the words of glyphs. Returns undefined if the numbers
 * of words differ.
 */
function alignWordsWithText(glyphWords: readonly number[], text: string): readonly number[] | undefined {
  const edges: [number, number][] = [];
  let before = -1;
  for (let index = 0; index < glyphWords.length; index += 4) {
    const [start = 0, end = 0, left = 0, right = 0] = glyphWords.slice(index, index + 4);
    const last = edges.at(-1);
    if (start === before && last !== undefined)
      edges[edges.length - 1] = [Math.min(last[0], left), Math.max(last[1], right)];
    else edges.push([left, right]);
    before = end;
  }
  const words = [...text.matchAll(/\S+/g)];
  if (words.length !== edges.length) return undefined;
  return words.flatMap((word, index) => [word.index, word.index + word[0].length, ...(edges[index] ?? [])]);
}

/**
 * Joins the word rectangles of two segments.
 *
 * @param offset position in the joined text at which the text of the second segment begins
 */
export function joinWordRectangles(
  one: WordRectangles | undefined,
  other: WordRectangles | undefined,
  offset: number,
): WordRectangles | undefined {
  if (one === undefined || other === undefined) return undefined;
  const moved = other.words.map((number, index) => (index % 4 < 2 ? number + offset : number));
  const [bottom, top] = [Math.min(one.bottom, other.bottom), Math.max(one.top, other.top)];
  return { bottom, top, rotation: other.rotation, words: [...one.words, ...moved] };
}

/**
 * Returns the rectangle of a word in points. @param index index of the first of the four numbers of the word in `words`
 */
export function getWordRectangle({ bottom, top, words }: WordRectangles, index: number): Rectangle {
  return { left: words[index + 2] ?? NaN, right: words[index + 3] ?? NaN, bottom, top };
}
