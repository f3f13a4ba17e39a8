import type { Segment } from './segment.js';
import { joinWordRectangles } from './word-rectangles.js';

const BULLET = '[•‣▪◦●○■□➢➤►▶✓✔❖◆◇☐☑☒]';
/**
 * Matches a dash, a middle dot or an asterisk. Before a text, this character is a list marker. In a table, it means an
 * empty cell or a note.
 */
const DASH = '[–·*-]';
const NUMBER = String.raw`\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-z]|[ivx]{1,4})[.)]`;
const MARKER_BEFORE_TEXT = new RegExp(`^(?:${BULLET}|${DASH}|${NUMBER})\\s`, 'u');
/**
 * Lists patterns of markers, each with a pattern that the text after the marker must match. A single word does not
 * match after a number, because the number and the word can be two table cells.
 */
const MARKERS = [
  { marker: new RegExp(`^${BULLET}$`, 'u'), item: /[\p{L}\p{N}]/u },
  { marker: new RegExp(`^${DASH}$`, 'u'), item: /\p{L}{2}/u },
  { marker: new RegExp(`^${NUMBER}$`, 'u'), item: /\p{L}{2}.*\s.*\p{L}{2}/u },
];
/**
 * Matches the characters that bullets of symbol fonts are mapped to: private use characters, or the character at the
 * same position of an ordinary font.
 */
const SYMBOL_FONT_MARKER = /^[\ue000-\uf8ff§o]$/u;
const PRIVATE_USE_CHARACTER = /^[\ue000-\uf8ff](?=\s)/u;

/** Matches the number of a list item, such as `3.11` in `3.11. Scope`. */
const NUMBER_BEFORE_TEXT = /^\(?(\d{1,2}(?:\.\d{1,2}){0,3})[.)]\s/;

/**
 * Returns a function that returns whether a line begins with a list marker. A number with several parts is a marker
 * only if another line begins with a neighbouring number. Otherwise, it is a date, a version or a section number inside
 * a sentence.
 *
 * @param lines texts of all lines of the document
 */
export function createListMarkerCheck(lines: readonly string[]): (text: string) => boolean {
  const numbers = new Set(lines.map(parseListNumber));
  return (text) => {
    if (!MARKER_BEFORE_TEXT.test(text)) return false;
    const number = parseListNumber(text);
    return number?.includes('.') !== true || listNeighbours(number).some((neighbour) => numbers.has(neighbour));
  };
}

function parseListNumber(text: string): string | undefined {
  // Removes leading zeros, so that 1.02 is the number after 1.01.
  return NUMBER_BEFORE_TEXT.exec(text)?.[1]?.replace(/\b0+(?=\d)/g, '');
}

/**
 * Returns the neighbours of a list number: the numbers before and after it, the number of its first child, and, if it
 * is a first child, the number of its parent.
 */
function listNeighbours(number: string): readonly string[] {
  const end = number.lastIndexOf('.');
  const [parent, last] = [number.slice(0, end), Number(number.slice(end + 1))];
  return [`${parent}.${last - 1}`, `${parent}.${last + 1}`, `${number}.1`, ...(last === 1 ? [parent] : [])];
}

/**
 * Joins a list marker with the text of its item, because the wide gap between the two does not separate cells.
 *
 * @param segments segments of a line
 */
export function joinListMarkerWithText(segments: readonly Segment[]): readonly Segment[] {
  const [first, second, ...more] = segments;
  if (first === undefined) return segments;
  const marker = SYMBOL_FONT_MARKER.test(first.text) ? '•' : first.text;
  if (second === undefined || more.length > 0 || !isMarkerOfText(marker, second.text)) {
    return [{ ...first, text: first.text.replace(PRIVATE_USE_CHARACTER, '•') }, ...segments.slice(1)];
  }
  const [left, right] = [Math.min(first.left, second.left), Math.max(first.right, second.right)];
  const wordRectangles = joinWordRectangles(first.wordRectangles, second.wordRectangles, marker.length + 1);
  return [{ text: `${marker} ${second.text}`, left, right, ...(wordRectangles && { wordRectangles }) }];
}

function isMarkerOfText(marker: string, text: string): boolean {
  return MARKERS.some((known) => known.marker.test(marker) && known.item.test(text));
}
