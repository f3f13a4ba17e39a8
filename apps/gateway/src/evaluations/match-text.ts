const SPACES = /\s+/gu;
const DIGIT = /\p{Nd}/u;
/** Matches the end of a text after which a digit would continue a number, such as `3`, `3.` or `3,`. */
const NUMBER_BEFORE = /\p{Nd}[.,]?$/u;
const NUMBER_AFTER = /^[.,]?\p{Nd}/u;
/** Matches a whole date such as `24.12.2019` or `2019.12.24`, and a whole list of years such as `2018,2019`. */
const DATE_OR_YEARS =
  /(?<!\p{Nd}[.,]?)(?:(?:\p{Nd}{1,2}\.){2}\p{Nd}{4}|\p{Nd}{4}(?:\.\p{Nd}{1,2}){2}|\p{Nd}{4}(?:,\p{Nd}{4})+)(?![.,]?\p{Nd})/gu;

/** Normalizes compatibility characters, letter case and white space, so that texts can be compared. */
export function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(SPACES, ' ').trim();
}

/**
 * Returns true if a text contains an expected text. A number does not match a part of another number: `5` is not in
 * `15` or `5.2`. Digits and the separators between them are one number, except in a date and in a list of years.
 *
 * @param text a normalized text
 * @param expected a normalized text that is not empty
 */
export function containsText(text: string, expected: string): boolean {
  if (!text.includes(expected)) return false;
  // The replacement has the same length, so that positions in both texts are equal.
  const numbers = text.replaceAll(DATE_OR_YEARS, (found) => found.replaceAll(/[.,]/g, ' '));
  const startsWithDigit = DIGIT.test(expected.at(0) ?? '');
  const endsWithDigit = DIGIT.test(expected.at(-1) ?? '');
  for (let at = text.indexOf(expected); at !== -1; at = text.indexOf(expected, at + 1)) {
    const end = at + expected.length;
    const isPartBefore = startsWithDigit && NUMBER_BEFORE.test(numbers.slice(Math.max(0, at - 2), at));
    const isPartAfter = endsWithDigit && NUMBER_AFTER.test(numbers.slice(end, end + 2));
    if (!isPartBefore && !isPartAfter) return true;
  }
  return false;
}
