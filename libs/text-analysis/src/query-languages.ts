import { ENGLISH, LANGUAGES, type Language } from './languages.js';
import { hasEnoughEvidence, measureEvidenceByLanguage, selectLikelyLanguages } from './likely-languages.js';

/** Describes the languages of a query. */
export interface QueryLanguages {
  /** Lists the languages by whose rules the words of the query are stemmed. */
  readonly stemLanguages: readonly Language[];
  /**
   * Lists the languages that determine the stop words. The query omits a word only if it is a stop word in all these
   * languages.
   */
  readonly stopWordLanguages: readonly Language[];
}

/**
 * Minimum evidence for the language of a query if no searched document is in that language. A single stop word is not
 * enough: words such as `die` and `son` are stop words in one language, and nouns or names in another.
 */
const FOREIGN_EVIDENCE = 1.5;

/**
 * Determines the stem languages and the stop-word languages of a query. A keyword query often contains too few stop
 * words to identify its language. In that case, the languages of the searched documents decide.
 *
 * - If the languages of the documents are unknown, both lists contain the likely languages of the query.
 * - If the language of the query is unclear, both lists contain the languages of the documents that are in `LANGUAGES`.
 *   If none is, both lists contain English only.
 * - If the query is in a language of the documents, both lists contain those of its likely languages that occur in the
 *   documents.
 * - If the query is clearly in a language of no document, the stop-word languages are its likely languages. The stem
 *   languages are the likely languages and those of the second case, so that names match. Exception: the only stem
 *   language of an English query is English.
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
