const CUT_PAIR = /[\ud800-\udbff]$/;

/** Returns the beginning of a text, of at most `length` UTF-16 code units, without half a character at its end. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(CUT_PAIR, '');
}
