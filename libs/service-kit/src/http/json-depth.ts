const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]); // [ {
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]); // ] }

/**
 * Returns true if a JSON text nests arrays and objects deeper than `limit`. Iterates over the bytes, so that no text
 * can overflow the stack. The result is meaningless for a text that is not JSON.
 *
 * @param json the JSON text in UTF-8
 */
export function isJsonDeeperThan(limit: number, json: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = findEndOfString(json, at);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** Returns the position of the closing quote of the string that begins at `start`, or the end of the text. */
function findEndOfString(json: Buffer, start: number): number {
  let end = start;
  do end = json.indexOf(QUOTE, end + 1);
  while (end !== -1 && isQuoteEscaped(json, end));
  return end === -1 ? json.length : end;
}

/** Returns true if the quote at position `quote` is escaped: an odd number of backslashes precedes it. */
function isQuoteEscaped(json: Buffer, quote: number): boolean {
  let first = quote;
  while (json[first - 1] === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
