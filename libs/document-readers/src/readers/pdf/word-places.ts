import { computeBoundingBox, type Box } from './glyph-box.js';
import type { Glyph, Rotation } from './glyphs.js';

/** Describes the positions of the words of a segment, in points from the lower left corner of the upright page. */
export interface WordPlaces {
  readonly bottom: number;
  readonly top: number;
  /** Rotation of the segment on the page, which was undone to make it upright. */
  readonly rotation: Rotation;
  /**
   * Four numbers for each word: its start and end in the text of the segment, and its left and right edge. The numbers
   * are in one list, because a document can have millions of words.
   */
  readonly words: readonly number[];
}

/** Maximum number of characters of a word. Longer ones, and text without spaces, are placed in parts. */
const MAX_WORD_CHARACTERS = 8;
/** Space above and below the letters, as a share of the font size. */
const MARGIN = 0.1;

/**
 * Finds the words of a segment.
 *
 * @param glyphs of the segment in the order of the text
 * @param text of the segment. If it differs from the glyphs, as in right-to-left lines, words are matched by their
 * number.
 */
export function findWordPlaces(glyphs: readonly Glyph[], text: string): WordPlaces {
  const first = glyphs.find(({ visible }) => visible);
  const { left, right, bottom, top } = computeBoundingBox(glyphs);
  const margin = MARGIN * (first?.size ?? 0);
  const place = { bottom: bottom - margin, top: top + margin, rotation: first?.rotation ?? 0 };
  const words = splitIntoPlacedWords(glyphs);
  if ((words.at(-3) ?? 0) === text.length) return { ...place, words };
  return { ...place, words: matchWords(words, text) ?? [0, text.length, left, right] };
}

/**
 * Splits glyphs into words. Returns four numbers per word: its start and end in a text with single spaces, and its left
 * and right edge.
 */
function splitIntoPlacedWords(glyphs: readonly Glyph[]): number[] {
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

/** Places the words of a text on the words of the glyphs. Returns undefined if their numbers differ. */
function matchWords(found: readonly number[], text: string): readonly number[] | undefined {
  const edges: [number, number][] = [];
  let before = -1;
  for (let index = 0; index < found.length; index += 4) {
    const [start = 0, end = 0, left = 0, right = 0] = found.slice(index, index + 4);
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
 * Joins the positions of the words of two segments.
 *
 * @param offset position in the joined text at which the text of the second segment begins
 */
export function joinWordPlaces(
  one: WordPlaces | undefined,
  other: WordPlaces | undefined,
  offset: number,
): WordPlaces | undefined {
  if (one === undefined || other === undefined) return undefined;
  const moved = other.words.map((number, index) => (index % 4 < 2 ? number + offset : number));
  const [bottom, top] = [Math.min(one.bottom, other.bottom), Math.max(one.top, other.top)];
  return { bottom, top, rotation: other.rotation, words: [...one.words, ...moved] };
}

/** Returns the box of a word in points. */
export function getWordBox({ bottom, top, words }: WordPlaces, index: number): Box {
  return { left: words[index + 2] ?? NaN, right: words[index + 3] ?? NaN, bottom, top };
}
