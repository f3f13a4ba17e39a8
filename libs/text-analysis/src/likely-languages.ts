import { LANGUAGES, type Language } from './languages.js';

/** More words say no more about it, and cost time. */
export const LOOKED_AT = 400;

/** Which languages have a word among those that hold a sentence together. */
const LANGUAGES_OF = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of language.stopWords) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);

/** A word that only one language has counts 1, one that several have counts less for each. Less than this says nothing. */
const LEAST_EVIDENCE = 0.75;
/** A language is out of the question when the best has more than so many times its evidence. */
const CLEARLY = 1.2;

/**
 * The languages that a text may be in, by the small words in it: in a sentence every second or third is one. One language
 * where it is clear, all of them where nothing speaks for any, as in a list of names or a question of two nouns.
 *
 * @param words in lower case, without accents; a few hundred say enough
 */
export function likelyLanguages(words: readonly string[]): readonly Language[] {
  const evidence = new Map<Language, number>();
  for (const word of words) {
    const languages = LANGUAGES_OF.get(word) ?? [];
    for (const language of languages) evidence.set(language, (evidence.get(language) ?? 0) + 1 / languages.length);
  }
  const best = Math.max(0, ...evidence.values());
  if (best < LEAST_EVIDENCE) return LANGUAGES;
  return [...evidence].filter(([, found]) => best <= CLEARLY * found).map(([language]) => language);
}
