import { ENGLISH, LANGUAGES, type Language } from './languages.js';
import { hasEnoughEvidence, measureEvidenceByLanguage, selectLikelyLanguages } from './likely-languages.js';

/** Describes the languages of a query. */
export interface QueryLanguages {
  /** Lists the languages whose stems can match. */
  readonly stemLanguages: readonly Language[];
  /**
   * Lists the languages that determine the stop words. The query omits a word only if it is a stop word in all these
   * languages.
   */
  readonly stopWordLanguages: readonly Language[];
}

/**
 * Minimum evidence for a language that none of the documents has. A single stop word is not enough: words such as `die`
 * and `son` are stop words in one language, and nouns or names in another.
 */
const FOREIGN_EVIDENCE = 1.5;

/**
 * Determines the languages of a query. The language of a keyword query is often unclear, because it contains few stop
 * words. In that case, the languages of the documents decide.
 *
 * - If languages of the documents are likely for the query, the result is these languages.
 * - If the language of the query is unclear, the result is all languages of the documents.
 * - If the query is clearly in another language, that language determines the stop words. Stems are in that language
 *   and in the languages of the documents, so that names match in the documents. An English query has English stems
 *   only.
 *
 * @param words are normalized, with their accents
 * @param documentLanguages ISO 639-1 codes; empty if unknown
 */
export function determineQueryLanguages(
  words: readonly string[],
  documentLanguages: readonly string[],
): QueryLanguages {
  const evidence = measureEvidenceByLanguage(words);
  const likely = selectLikelyLanguages(evidence);
  if (documentLanguages.length === 0) return { stemLanguages: likely, stopWordLanguages: likely };
  const theirs = LANGUAGES.filter(({ code }) => documentLanguages.includes(code));
  const shared = hasEnoughEvidence(evidence) ? likely.filter((language) => theirs.includes(language)) : theirs;
  if (shared.length > 0) return { stemLanguages: shared, stopWordLanguages: shared };
  // Documents in languages without stemmers also contain English names and terms.
  const possible = theirs.length === 0 ? [ENGLISH] : theirs;
  const isForeign = Math.max(0, ...evidence.values()) >= FOREIGN_EVIDENCE;
  if (!isForeign) return { stemLanguages: possible, stopWordLanguages: possible };
  // Every text is indexed with English stems, so an English query needs no stems in other languages.
  const isEnglish = likely.length === 1 && likely[0] === ENGLISH;
  return { stemLanguages: isEnglish ? likely : [...likely, ...possible], stopWordLanguages: likely };
}
