import { removeAccents } from './normalize-text.js';

/**
 * Lists the suffixes of nouns and adjectives: plural, comparison, possession and indefiniteness. `stemPersian` removes
 * the longest matching suffix. Source: the suffixes of Lucene's `PersianStemmer`, alone and combined with plural
 * suffixes.
 */
const SUFFIXES: readonly string[] = [
  ...['هایشان', 'هایی', 'هایم', 'هایت', 'هایش', 'ترین', 'های', 'شان', 'ها', 'تر', 'ات', 'ان', 'یی', 'م', 'ت', 'ش', 'ی'],
].map(removeAccents);

/**
 * Minimum length of a stem. If the stem would be shorter, the ending is usually a part of the word and not a suffix.
 */
const MIN_STEM_LENGTH = 3;

/**
 * Returns the stem of a Persian word that `normalizeText` has normalized. First unifies the spelling (`removeAccents`).
 * Then removes the longest suffix in `SUFFIXES` that leaves at least `MIN_STEM_LENGTH` characters.
 */
export function stemPersian(normalized: string): string {
  const word = removeAccents(normalized);
  const suffix = SUFFIXES.find((one) => word.endsWith(one) && word.length - one.length >= MIN_STEM_LENGTH);
  return suffix === undefined ? word : word.slice(0, -suffix.length);
}
