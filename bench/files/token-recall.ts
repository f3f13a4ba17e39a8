const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Matches placeholders that the parser of the reference texts has inserted, such as `<!-- image -->`. */
const PARSER_NOTE = /<!--[\s\S]*?-->/g;
/**
 * Matches the hyphen of a word that is hyphenated at a line end. Some parsers do not join such words: `ef- ficient`.
 */
const CUT_WORD = /(\p{Ll})-\s+(?=\p{Ll})/gu;
/** The characters of HTML entities that some parsers do not decode, such as `&amp;`. */
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
]);

/**
 * Returns words and numbers in lower case without punctuation. Compatibility forms, such as ligatures, are normalised
 * to letters.
 */
export function splitIntoWords(text: string): readonly string[] {
  const plain = text
    .replace(PARSER_NOTE, ' ')
    .replace(CUT_WORD, '$1')
    .replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES.get(entity) ?? entity);
  return [...plain.normalize('NFKC').toLowerCase().matchAll(WORD)].map(([word]) => word);
}

/**
 * Returns the share of the reference's words that the text contains, and the missing words. A word that occurs n times
 * in the reference must occur n times in the text.
 */
export function computeTokenRecall(
  text: string,
  reference: string,
): { readonly recall: number; readonly missing: readonly string[] } {
  const left = new Map<string, number>();
  for (const word of splitIntoWords(text)) left.set(word, (left.get(word) ?? 0) + 1);
  const expected = splitIntoWords(reference);
  const missing = expected.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  return { recall: expected.length === 0 ? 1 : 1 - missing.length / expected.length, missing };
}
