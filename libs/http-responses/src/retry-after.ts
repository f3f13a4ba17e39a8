/**
 * Parses the header `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). Accepts fractions of a second,
 * because some servers send them.
 *
 * @param now the moment of the response, in milliseconds since 1970
 * @returns milliseconds to wait, 0 for a date in the past; undefined if the header is absent or cannot be parsed
 */
export function parseRetryAfter(value: string | null | undefined, now = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
