const WORD_WITH_APOSTROPHE = /^(?<before>\p{L}[\p{L}\p{M}]*)['’](?<after>\p{L}[\p{L}\p{M}]*)$/u;

/**
 * Returns the significant part of a queried word with an apostrophe, or the word itself: `company` of `company's`, `eau`
 * of `l'eau`, and `Ankara` of `Ankara'da`. Source: Lucene's possessive, elision and apostrophe filters.
 *
 * @param isSuffixed indicates that the language has suffixes after apostrophes
 * @param isStopWord returns true for function words, such as `l` in French
 */
export function removeApostropheParts(
  word: string,
  isSuffixed: boolean,
  isStopWord: (word: string) => boolean,
): string {
  const { before, after } = WORD_WITH_APOSTROPHE.exec(word)?.groups ?? {};
  if (before === undefined || after === undefined) return word;
  if (isSuffixed && before.length > 1) return before;
  if (before.length > 1 && (after.length === 1 || isStopWord(after))) return before;
  return isStopWord(before) ? after : word;
}
