import { LANGUAGES, type Language } from './languages.js';
import { removeAccents } from './normalize-text.js';

/** Maximum number of words to examine. More words rarely change the result. */
export const MAX_EXAMINED_WORDS = 400;

/** Maps each spelling of a stop word to its languages. */
const LANGUAGES_BY_STOP_WORD = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of language.stopWords)
    LANGUAGES_BY_STOP_WORD.set(word, [...(LANGUAGES_BY_STOP_WORD.get(word) ?? []), language]);

/**
 * Minimum evidence for a language. A stop word of one language counts 1, and a stop word of n languages counts 1/n for
 * each of them.
 */
const MIN_EVIDENCE = 0.75;
/** Maximum ratio of the evidence for the best language to the evidence for another likely language. */
const MAX_EVIDENCE_RATIO = 1.2;

/**
 * Lists the possible languages of a text without evidence. Excludes languages in which accents distinguish words,
 * because they would give the accents of words in other languages too much weight.
 */
const UNCERTAIN = LANGUAGES.filter(({ hasSignificantAccents }) => !hasSignificantAccents);

/**
 * Returns the likely languages of a text, determined by its stop words. Without enough evidence, as in a list of names,
 * these are all languages without significant accents.
 *
 * @param words are normalized, with their accents; a few hundred suffice
 */
export function findLikelyLanguages(words: readonly string[]): readonly Language[] {
  return selectLikelyLanguages(countStopWordsByLanguage(words));
}

/**
 * Returns the languages with the most evidence, or all languages without significant accents if there is too little.
 */
export function selectLikelyLanguages(stopWordCounts: ReadonlyMap<Language, number>): readonly Language[] {
  if (!hasEnoughEvidence(stopWordCounts)) return UNCERTAIN;
  const best = Math.max(...stopWordCounts.values());
  return [...stopWordCounts].filter(([, found]) => best <= MAX_EVIDENCE_RATIO * found).map(([language]) => language);
}

/** Returns true if there is enough evidence for a language. */
export function hasEnoughEvidence(stopWordCounts: ReadonlyMap<Language, number>): boolean {
  return Math.max(0, ...stopWordCounts.values()) >= MIN_EVIDENCE;
}

/** Measures the evidence for each language: the number of stop words, divided by the number of their languages. */
export function countStopWordsByLanguage(words: readonly string[]): ReadonlyMap<Language, number> {
  const counts = new Map<Language, number>();
  for (const word of words) {
    const languages = listLanguagesOfStopWord(word);
    for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1 / languages.length);
  }
  return counts;
}

/** Returns the languages that have a word as a stop word with exactly these accents, or else with other accents. */
function listLanguagesOfStopWord(word: string): readonly Language[] {
  const exact = LANGUAGES_BY_STOP_WORD.get(word);
  if (exact !== undefined) return exact;
  const others = LANGUAGES_BY_STOP_WORD.get(removeAccents(word)) ?? [];
  return others.filter((language) => language.isStopWord(word));
}
