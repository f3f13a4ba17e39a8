import { LANGUAGES, type Language } from './languages.js';
import { removeAccents } from './normalize-text.js';

/**
 * Maximum number of words of a text in which stop words are searched. More words rarely change the likely languages.
 */
export const MAX_EXAMINED_WORDS = 400;

/** Maps each spelling of a stop word to the languages in which the word is a stop word. */
const LANGUAGES_BY_STOP_WORD = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of language.stopWords)
    LANGUAGES_BY_STOP_WORD.set(word, [...(LANGUAGES_BY_STOP_WORD.get(word) ?? []), language]);

/**
 * Minimum evidence for the best language, without which the language of a text is unclear. A stop word of one language
 * counts 1. A stop word of n languages counts 1/n for each of these languages.
 */
const MIN_EVIDENCE = 0.75;
/** Maximum ratio of the evidence for the best language to the evidence for a language that is also likely. */
const MAX_EVIDENCE_RATIO = 1.2;

/**
 * Lists the possible languages of a text without evidence. Excludes languages with significant accents: `computeStems`
 * would prefer them for every word with accents.
 */
const UNCERTAIN = LANGUAGES.filter(({ hasSignificantAccents }) => !hasSignificantAccents);

/**
 * Returns the likely languages of a text, determined by its stop words. Returns all languages without significant
 * accents if the evidence is insufficient, as in a list of names.
 *
 * @param words are normalized, with their accents; a few hundred suffice
 */
export function findLikelyLanguages(words: readonly string[]): readonly Language[] {
  return selectLikelyLanguages(measureEvidenceByLanguage(words));
}

/**
 * Returns the languages with the most evidence, or all languages without significant accents if the evidence is
 * insufficient.
 */
export function selectLikelyLanguages(evidence: ReadonlyMap<Language, number>): readonly Language[] {
  if (!hasEnoughEvidence(evidence)) return UNCERTAIN;
  const best = Math.max(...evidence.values());
  return [...evidence].filter(([, found]) => best <= MAX_EVIDENCE_RATIO * found).map(([language]) => language);
}

/** Returns true if the evidence for at least one language is sufficient. */
export function hasEnoughEvidence(evidence: ReadonlyMap<Language, number>): boolean {
  return Math.max(0, ...evidence.values()) >= MIN_EVIDENCE;
}

/**
 * Returns the evidence that the words of a text are for each language. Each stop word adds 1 / n to the evidence for
 * each of the n languages that contain the stop word.
 */
export function measureEvidenceByLanguage(words: readonly string[]): ReadonlyMap<Language, number> {
  const evidence = new Map<Language, number>();
  for (const word of words) {
    const languages = listLanguagesOfStopWord(word);
    for (const language of languages) evidence.set(language, (evidence.get(language) ?? 0) + 1 / languages.length);
  }
  return evidence;
}

/**
 * Returns the languages in which a word is a stop word. Compares words with their accents. Only if no stop word has
 * exactly these accents, ignores accents.
 */
function listLanguagesOfStopWord(word: string): readonly Language[] {
  const exact = LANGUAGES_BY_STOP_WORD.get(word);
  if (exact !== undefined) return exact;
  const others = LANGUAGES_BY_STOP_WORD.get(removeAccents(word)) ?? [];
  return others.filter((language) => language.isStopWord(word));
}
