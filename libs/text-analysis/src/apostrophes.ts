const WORD_WITH_APOSTROPHE = /^(?<before>\p{L}[\p{L}\p{M}]*)['’](?<after>\p{L}[\p{L}\p{M}]*)$/u;

/**
 * Removes the insignificant part of a query word with an apostrophe: returns `company` for `company's`, `eau` for
 * `l'eau`, and `Ankara` for `Ankara'da`. Returns any other word unchanged. Source: Lucene's possessive, elision and
 * apostrophe filters.
 *
 * @param isSuffixed true if the language of the query has suffixes after apostrophes, such as `da` in Turkish
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
