import { removeAccents } from './normalize-text.js';
import type { Language } from './languages.js';

/**
 * Minimum length of a word that is stemmed, and of a stem. Shorter words have no suffixes, and shorter stems are
 * ambiguous.
 */
const MIN_LENGTH = 3;

/**
 * Returns the stems of a word. Removes accents from stems, except in languages with significant accents.
 *
 * @param word is normalized
 * @param languages lists the possible languages of the word; languages with another script are ignored
 * @returns the distinct stems; the word without accents if the word is short or no language has its script
 */
export function computeStems(word: string, languages: readonly Language[]): readonly string[] {
  const plain = removeAccents(word);
  const known = selectLanguagesOfWord(word, plain, languages);
  if (known.length === 0) return [plain];
  if (word.length < MIN_LENGTH)
    return [...new Set(known.map(({ hasSignificantAccents }) => (hasSignificantAccents ? word : plain)))];
  const stems = known.map(({ stem }) => stem(word));
  return [...new Set(stems.map((stem) => (stem.length < MIN_LENGTH && stem !== word ? plain : stem)))];
}

/**
 * Returns the stems of a query word in the languages of the searched documents. If several of these languages have the
 * script of the word, the result also contains the word without accents. It is needed, because a stem in one language
 * can be a different word in another.
 *
 * @param word is normalized
 */
export function computeStemsForDocuments(word: string, languages: readonly Language[]): readonly string[] {
  const plain = removeAccents(word);
  const stems = computeStems(word, languages);
  return selectLanguagesOfWord(word, plain, languages).length > 1 ? [...new Set([...stems, plain])] : stems;
}

/**
 * Selects the languages that use the script of a word. If a word has accents and some of these languages have
 * significant accents, selects only the latter.
 */
function selectLanguagesOfWord(word: string, plain: string, languages: readonly Language[]): readonly Language[] {
  const known = languages.filter(({ script }) => script.test(word));
  const accented = known.filter(({ hasSignificantAccents }) => hasSignificantAccents);
  return word !== plain && accented.length > 0 ? accented : known;
}
