import { LANGUAGES, type Language } from './languages.js';

/** Maximum number of words to examine. More words rarely change the result. */
export const MAX_EXAMINED_WORDS = 400;

/** Maps each stop word to its languages. */
const LANGUAGES_OF = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of language.stopWords) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);

/**
 * Minimum evidence for a language. A stop word of one language counts 1; a shared one counts proportionally less for
 * each.
 */
const LEAST_EVIDENCE = 0.75;
/** Maximum ratio between the evidence of the best language and of another likely one. */
const CLEARLY = 1.2;

/**
 * Returns the likely languages of a text, determined by its stop words. Returns one language if it is clear, and all of
 * them if there is no evidence, as in a list of names.
 *
 * @param words in lower case, without accents; a few hundred suffice
 */
export function findLikelyLanguages(words: readonly string[]): readonly Language[] {
  const evidence = new Map<Language, number>();
  for (const word of words) {
    const languages = LANGUAGES_OF.get(word) ?? [];
    for (const language of languages) evidence.set(language, (evidence.get(language) ?? 0) + 1 / languages.length);
  }
  const best = Math.max(0, ...evidence.values());
  if (best < LEAST_EVIDENCE) return LANGUAGES;
  return [...evidence].filter(([, found]) => best <= CLEARLY * found).map(([language]) => language);
}
