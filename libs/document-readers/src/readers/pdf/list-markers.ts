import type { Segment } from './segment.js';
import { joinWordRectangles } from './word-rectangles.js';

const BULLET = '[•‣▪◦●○■□➢➤►▶✓✔❖◆◇☐☑☒]';
/** Matches a dash or dot. Before a text, it is a list marker. In a table, it means an empty cell or a note. */
const DASH = '[–·*-]';
const NUMBER = String.raw`\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-z]|[ivx]{1,4})[.)]`;
const MARKER_BEFORE_TEXT = new RegExp(`^(?:${BULLET}|${DASH}|${NUMBER})\\s`, 'u');
/**
 * Lists patterns of markers, each with a pattern that the text after the marker must match. A single word does
 * not match after a number, because the two can be table cells.
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

/** Returns whether text begins with a list marker. */
export function hasListMarker(text: string): boolean {
  return MARKER_BEFORE_TEXT.test(text);
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
