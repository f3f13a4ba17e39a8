/**
 * Minimum length of a value that counts as an embedded file in base64, in characters. Shorter values can be names and
 * keys, which users search for.
 */
const MIN_LENGTH = 1_000;
const BASE64 = /^(?:data:[^,]{0,200},)?(?:[\w+/-]{60,}\r?\n)*[\w+/-]+={0,2}\s*$/;
const DATA_URL = /data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,[\w+/=-]*/g;
/** Matches an embedded file in base64, as in mail and notebooks: at least ten full lines of 60 to 76 characters. */
const BASE64_LINES = /(?:^[A-Za-z0-9+/]{60,76}\n){10,}(?:^[A-Za-z0-9+/]+={0,2}$)?/gm;

/** Returns whether a value is a picture or another file in base64. */
export function isBase64Data(text: string): boolean {
  return text.length >= MIN_LENGTH && BASE64.test(text) && hasMixedCharacters(text);
}

/**
 * Returns whether a text has small letters, capitals and digits. Lists of hashes and gene sequences lack at least one
 * of these three kinds.
 */
function hasMixedCharacters(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

/** Removes embedded base64 files from a text. */
export function removeBase64Data(text: string): string {
  return text.replace(DATA_URL, '').replace(BASE64_LINES, (lines) => (hasMixedCharacters(lines) ? '' : lines));
}
