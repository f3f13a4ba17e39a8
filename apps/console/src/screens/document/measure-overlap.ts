/** Maximum overlap of two fragments, in characters. */
const MAX_OVERLAP = 2_000;

/**
 * Returns the number of characters at the start of a fragment that repeat the end of the fragment before it. Matches
 * that begin or end inside of a word do not count.
 */
export function measureOverlap(before: string, text: string): number {
  for (let length = Math.min(before.length, text.length, MAX_OVERLAP); length > 0; length -= 1) {
    const isWhole = isWordBoundary(before, before.length - length) && isWordBoundary(text, length);
    if (isWhole && before.endsWith(text.slice(0, length))) return length;
  }
  return 0;
}

function isWordBoundary(text: string, at: number): boolean {
  return !(isWordCharacter(text[at - 1]) && isWordCharacter(text[at]));
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
