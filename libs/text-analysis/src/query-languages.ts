import { ENGLISH, LANGUAGES, type Language } from './languages.js';
import { hasEnoughEvidence, countStopWordsByLanguage, selectLikelyLanguages } from './likely-languages.js';

/** Describes the languages of a query. */
export interface QueryLanguages {
  /** Lists the languages whose stems can match. */
  readonly stemming: readonly Language[];
  /** Lists the languages whose stop words are omitted. A word is omitted only if it is a stop word in all of them. */
  readonly omitting: readonly Language[];
}

/**
 * Minimum evidence for a language that none of the documents has. It exceeds a single stop word, because words such as
 * `die` and `son` are stop words of one language and names or nouns in another.
 */
const FOREIGN_EVIDENCE = 1.5;

/**
 * Determines the languages of a query. Keyword queries contain few stop words, so their language is often unclear. Then
 * the languages of the documents decide.
 *
 * - If the query is clearly in a language of the documents, the result is that language.
 * - If it is unclear, the result is the languages of the documents that are also likely for the query, or else all of
 * them.
 * - If it is clearly in another language, stop words are those of the query's language. Stems are those of the query's
 * language and of the documents' languages, so that names match in the documents. For a query in English, both are
 * English.
 *
 * @param words are normalized, with their accents
 * @param documentLanguages ISO 639-1 codes; empty if unknown
 */
export function determineQueryLanguages(
  words: readonly string[],
  documentLanguages: readonly string[],
): QueryLanguages {
  const evidence = countStopWordsByLanguage(words);
  const likely = selectLikelyLanguages(evidence);
  if (documentLanguages.length === 0) return { stemming: likely, omitting: likely };
  const theirs = LANGUAGES.filter(({ code }) => documentLanguages.includes(code));
  const shared = hasEnoughEvidence(evidence) ? likely.filter((language) => theirs.includes(language)) : theirs;
  if (shared.length > 0) return { stemming: shared, omitting: shared };
  // Documents in languages without stemmers also contain English names and terms.
  const possible = theirs.length === 0 ? [ENGLISH] : theirs;
  const isForeign = Math.max(0, ...evidence.values()) >= FOREIGN_EVIDENCE;
  if (!isForeign) return { stemming: possible, omitting: possible };
  // Every text is indexed with the stems of English, so a query in English needs no others.
  const isEnglish = likely.length === 1 && likely[0] === ENGLISH;
  return { stemming: isEnglish ? likely : [...likely, ...possible], omitting: likely };
}
