const SPACES = /\s+/gu;
const DIGIT = /\p{Nd}/u;
/** Matches the end of a text after which a digit would continue a number, such as `3`, `3.` or `3,`. */
const NUMBER_BEFORE = /\p{Nd}[.,]?$/u;
const NUMBER_AFTER = /^[.,]?\p{Nd}/u;

/** Normalizes compatibility characters, letter case and white space, so that texts can be compared. */
export function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(SPACES, ' ').trim();
}

/**
 * Returns true if a text contains an expected text. A number does not match a part of another number: `5` is not in
 * `15` or `5.2`.
 *
 * @param text a normalized text
 * @param expected a normalized text that is not empty
 */
export function containsText(text: string, expected: string): boolean {
  const startsWithDigit = DIGIT.test(expected.at(0) ?? '');
  const endsWithDigit = DIGIT.test(expected.at(-1) ?? '');
  for (let at = text.indexOf(expected); at !== -1; at = text.indexOf(expected, at + 1)) {
    const end = at + expected.length;
    const isPartBefore = startsWithDigit && NUMBER_BEFORE.test(text.slice(Math.max(0, at - 2), at));
    const isPartAfter = endsWithDigit && NUMBER_AFTER.test(text.slice(end, end + 2));
    if (!isPartBefore && !isPartAfter) return true;
  }
  return false;
}
