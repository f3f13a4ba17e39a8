const REPLACEMENT = '\uFFFD';

/** Replaces NUL and unpaired surrogates by U+FFFD, so that every queue and database can store the text. */
export function replaceUnstorableCharacters(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/**
 * Copies a value through JSON, and cleans all strings and field names of the copy with `replaceUnstorableCharacters`.
 */
export function cleanJson(value: unknown): unknown {
  return cleanStringsOfValue(JSON.parse(JSON.stringify(value)));
}

/**
 * Matches escaped NUL and unpaired surrogates in the output of `JSON.stringify`, which does not escape surrogate pairs.
 */
const UNCLEAN = /\\u(?:0000|d[89a-f])/;
/**
 * Matches escaped NUL and surrogates in JSON of any origin. It also matches escaped surrogate pairs, although they are
 * clean.
 */
const POSSIBLY_UNCLEAN = new RegExp(UNCLEAN, 'i');

/**
 * Returns true only if `cleanJson` would not change the parsed value. May return false for a clean value that contains
 * a backslash. Returns false for an empty text.
 *
 * @param json output of `JSON.stringify`
 */
export function isCleanJson(json: string): boolean {
  return json !== '' && !UNCLEAN.test(json);
}

/**
 * Parses JSON, and cleans all strings and field names with `replaceUnstorableCharacters`.
 *
 * @param json text without unpaired surrogates. Its nesting must be limited, because the function is recursive.
 * @throws SyntaxError if the text is not JSON
 */
export function parseCleanJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return POSSIBLY_UNCLEAN.test(json) ? cleanStringsOfValue(value) : value;
}

function cleanStringsOfValue(value: unknown): unknown {
  if (typeof value === 'string') return replaceUnstorableCharacters(value);
  if (Array.isArray(value)) return value.map(cleanStringsOfValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [replaceUnstorableCharacters(name), cleanStringsOfValue(inner)]),
  );
}

/** Converts a thrown value to an error whose message and stack can be stored. */
export function toErrorWithCleanText(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const cleaned = new Error(replaceUnstorableCharacters(error.message), { cause: error });
  if (error.stack !== undefined) cleaned.stack = replaceUnstorableCharacters(error.stack);
  return cleaned;
}
