/** A longer paragraph is handed on in parts, so that one line of a hundred megabytes is no single block. */
const MAX_LENGTH = 100_000;

/** @param text clean: an empty line is two line ends, and paragraphs stand apart by them */
export function* paragraphsOf(text: string): Generator<string> {
  for (const paragraph of text.split(/\n{2,}/)) {
    for (let start = 0; start < paragraph.length;) {
      const end = cutBefore(paragraph, start + MAX_LENGTH);
      yield paragraph.slice(start, end);
      start = end;
    }
  }
}

/** The last line end or space before `limit`, so that no word is cut where there are any, and no character ever. */
function cutBefore(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const from = limit - MAX_LENGTH / 2;
  const window = text.slice(from, limit);
  const cut = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
  if (cut >= 0) return from + cut + 1;
  const last = text.charCodeAt(limit - 1);
  const insidePair = last >= 0xd800 && last < 0xdc00;
  return insidePair ? limit - 1 : limit;
}
