/** Minimum and maximum length of an overlap of two fragments, in characters. A shorter match can be a coincidence. */
const MIN_OVERLAP = 20;
const MAX_OVERLAP = 2_000;

/**
 * Removes the start of a fragment that repeats the end of the preceding text, because fragments may overlap. Matches that
 * begin or end inside of a word do not count.
 */
export function removeOverlappingStart(before: string, fragment: string): string {
  for (let length = Math.min(MAX_OVERLAP, before.length, fragment.length); length >= MIN_OVERLAP; length -= 1) {
    const isWhole = isWordBoundary(before, before.length - length) && isWordBoundary(fragment, length);
    if (isWhole && before.endsWith(fragment.slice(0, length))) return fragment.slice(length).trimStart();
  }
  return fragment;
}

function isWordBoundary(text: string, at: number): boolean {
  const isWordCharacter = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return !(isWordCharacter(text[at - 1]) && isWordCharacter(text[at]));
}
