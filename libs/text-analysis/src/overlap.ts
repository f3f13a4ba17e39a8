/**
 * Minimum length of an overlap of two fragments, in characters. A shorter match can be a coincidence, such as a number or
 * the border of a table.
 */
const MIN_OVERLAP = 20;
/** Maximum length of an overlap that is measured, in characters. Limits the time, which is quadratic in the length. */
const MAX_OVERLAP = 8_000;

/**
 * Returns the maximum number of tokens in the overlap of two fragments. Splitting repeats at most half of a fragment.
 */
export function getMaxOverlapTokens(splitting: { readonly maxTokens: number; readonly overlapTokens: number }): number {
  return Math.min(splitting.overlapTokens, Math.floor(splitting.maxTokens / 2));
}

/**
 * Returns the number of characters at the start of a fragment that repeat the end of the text before it, because
 * fragments may overlap. Matches that begin or end inside of a word do not count.
 *
 * Text that itself repeats, such as equal lines of a log, also matches beyond the overlap. The result is therefore at
 * most `maxLength`, and never the length of the fragment, because each fragment adds text.
 *
 * @param maxLength maximum number of characters of the overlap with which the text was split
 */
export function measureOverlap(before: string, fragment: string, maxLength: number): number {
  const longest = Math.min(before.length, fragment.length - 1, maxLength, MAX_OVERLAP);
  for (let length = longest; length >= MIN_OVERLAP; length -= 1) {
    const isWhole = isWordBoundary(before, before.length - length) && isWordBoundary(fragment, length);
    if (isWhole && before.endsWith(fragment.slice(0, length))) return length;
  }
  return 0;
}

function isWordBoundary(text: string, at: number): boolean {
  return !(isWordCharacter(text[at - 1]) && isWordCharacter(text[at]));
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
