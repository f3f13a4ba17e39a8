/** Lists scripts whose languages attach particles to words and numbers in another script, such as `PDF를`. */
const AFFIXING = String.raw`\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}`;
const OTHER = String.raw`[[\p{L}\p{N}]--[${AFFIXING}]]`;
const BOUNDARY = new RegExp(`(?<=${OTHER})(?=[${AFFIXING}])|(?<=[${AFFIXING}])(?=${OTHER})`, 'v');
const ONE_LETTER = new RegExp(`^[${AFFIXING}]$`, 'v');
const LAST_AFFIX = new RegExp(`(?=[${AFFIXING}])(?<=${OTHER}[+#]*)[${AFFIXING}]+$`, 'v');

/** Splits a word where its script changes, such as `PDF에서`. Omits affixes of one letter, which are rarely words. */
export function separateAffixes(word: string): readonly string[] {
  const parts = word.split(BOUNDARY);
  return parts.length === 1 ? parts : parts.filter((part) => !ONE_LETTER.test(part));
}

/** Removes the particle at the end of a name in another script, such as `C++를`. */
export function removeLastAffix(name: string): string {
  return name.replace(LAST_AFFIX, '');
}
