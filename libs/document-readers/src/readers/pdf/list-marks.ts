import type { Segment } from './segment.js';

const SIGN = '[•‣▪◦●○■□➢➤►▶✓✔❖◆◇☐☑☒]';
/** In a table, these stand for nothing, or for a note. */
const DASH = '[–·*-]';
const NUMBER = String.raw`\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-z]|[ivx]{1,4})[.)]`;
const MARK_BEFORE_TEXT = new RegExp(`^(?:${SIGN}|${DASH}|${NUMBER})\\s`, 'u');
/** Each with what can be its item: a number before a name may be the first cell of a row. */
const MARKS = [
  { mark: new RegExp(`^${SIGN}$`, 'u'), item: /[\p{L}\p{N}]/u },
  { mark: new RegExp(`^${DASH}$`, 'u'), item: /\p{L}{2}/u },
  { mark: new RegExp(`^${NUMBER}$`, 'u'), item: /\p{L}{2}.*\s.*\p{L}{2}/u },
];
/** Fonts of signs have them at places of no meaning, and some programs name them by what an ordinary font has there. */
const MARK_OF_SIGN_FONT = /^[\ue000-\uf8ff§o]$/u;
const SIGN_OF_NO_MEANING = /^[\ue000-\uf8ff](?=\s)/u;

/** Whether a line's text begins as an item of a list does. */
export function hasListMark(text: string): boolean {
  return MARK_BEFORE_TEXT.test(text);
}

/** A list's mark stands well before its item, but is no cell beside it. @param segments of a line */
export function withListMark(segments: readonly Segment[]): readonly Segment[] {
  const [first, second, ...more] = segments;
  if (first === undefined) return segments;
  const mark = MARK_OF_SIGN_FONT.test(first.text) ? '•' : first.text;
  if (second === undefined || more.length > 0 || !isItem(mark, second.text)) {
    return [{ ...first, text: first.text.replace(SIGN_OF_NO_MEANING, '•') }, ...segments.slice(1)];
  }
  const [left, right] = [Math.min(first.left, second.left), Math.max(first.right, second.right)];
  return [{ text: `${mark} ${second.text}`, left, right }];
}

function isItem(mark: string, text: string): boolean {
  return MARKS.some((known) => known.mark.test(mark) && known.item.test(text));
}
