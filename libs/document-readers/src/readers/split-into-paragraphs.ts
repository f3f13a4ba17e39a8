/** Maximum number of characters of a paragraph. A longer paragraph is cut, to limit the size of blocks. */
const MAX_CHARACTERS = 100_000;

/** Splits text at empty lines. `normalizeForStorage` must have removed spaces from empty lines. */
export function* splitIntoParagraphs(text: string): Generator<string> {
  for (const paragraph of text.split(/\n{2,}/)) {
    for (let start = 0; start < paragraph.length;) {
      const end = findCutPosition(paragraph, start + MAX_CHARACTERS);
      yield paragraph.slice(start, end);
      start = end;
    }
  }
}

/**
 * Returns the position at which to cut a text: after the last line end or space in the `MAX_CHARACTERS / 2` characters
 * before `limit`. If there is none, returns `limit`, or `limit - 1` if `limit` is inside a surrogate pair.
 */
function findCutPosition(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const from = limit - MAX_CHARACTERS / 2;
  const window = text.slice(from, limit);
  const cut = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
  if (cut >= 0) return from + cut + 1;
  const last = text.charCodeAt(limit - 1);
  const insidePair = last >= 0xd800 && last < 0xdc00;
  return insidePair ? limit - 1 : limit;
}
