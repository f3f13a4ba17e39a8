const REPLACEMENT = '\uFFFD';

/** Text that every queue and database can keep: NUL and unpaired surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** A copy of a value as JSON would carry it, with every text in it cleaned, the names of fields included. */
export function cleanJson(value: unknown): unknown {
  return clean(JSON.parse(JSON.stringify(value)));
}

/** How JSON.stringify writes NUL and surrogates without a partner; the rest is written as it is. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/;
/** The same in JSON that anyone may have written: with capitals, and also for surrogates with a partner. */
const PERHAPS_UNCLEAN = new RegExp(UNCLEAN, 'i');

/** Whether `cleanJson` would leave what this says as it is. No JSON is not clean; of other texts it is sure of a yes alone. */
export function isCleanJson(json: string): boolean {
  return json !== '' && !UNCLEAN.test(json);
}

/**
 * Parses JSON text, and cleans every text in the value, the names of fields included.
 *
 * @param json well-formed Unicode; the caller has limited its depth
 * @throws SyntaxError
 */
export function parseCleanJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return PERHAPS_UNCLEAN.test(json) ? clean(value) : value;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanText(name), clean(inner)]));
}

/** An error whose message and stack can be kept, of whatever was thrown. */
export function cleanError(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const clean = new Error(cleanText(error.message), { cause: error });
  if (error.stack !== undefined) clean.stack = cleanText(error.stack);
  return clean;
}
