/**
 * Minimum and maximum length of an overlap of two fragments, in characters. A shorter match can be a coincidence, such
 * as a number or the border of a table.
 */
const MIN_OVERLAP = 20;
const MAX_OVERLAP = 2_000;

/**
 * Returns the number of characters at the start of a fragment that repeat the end of the text before it, because
 * fragments may overlap. Matches that begin or end inside of a word do not count.
 */
export function measureOverlap(before: string, fragment: string): number {
  for (let length = Math.min(before.length, fragment.length, MAX_OVERLAP); length >= MIN_OVERLAP; length -= 1) {
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
