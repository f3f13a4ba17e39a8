const REPLACEMENT = '\uFFFD';

/** Replaces NUL and unpaired surrogates by U+FFFD, so that every queue and database can store the text. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** Copies a value through JSON and cleans all its strings, including field names. */
export function cleanJson(value: unknown): unknown {
  return cleanValue(JSON.parse(JSON.stringify(value)));
}

/** Matches NUL and unpaired surrogates in the output of `JSON.stringify`, which escapes no other surrogates. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/;
/** Matches NUL and unpaired surrogates in JSON of any origin. Also matches escaped surrogate pairs. */
const POSSIBLY_UNCLEAN = new RegExp(UNCLEAN, 'i');

/**
 * Returns true only if `cleanJson` would not change the parsed value. Can return false for clean text. Returns false for empty
 * text.
 */
export function isCleanJson(json: string): boolean {
  return json !== '' && !UNCLEAN.test(json);
}

/**
 * Parses JSON text and cleans all its strings, including field names.
 *
 * @param json well-formed Unicode of limited depth
 * @throws SyntaxError
 */
export function parseCleanJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return POSSIBLY_UNCLEAN.test(json) ? cleanValue(value) : value;
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanText(name), cleanValue(inner)]));
}

/** Converts a thrown value to an error whose message and stack can be stored. */
export function cleanError(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const cleaned = new Error(cleanText(error.message), { cause: error });
  if (error.stack !== undefined) cleaned.stack = cleanText(error.stack);
  return cleaned;
}
