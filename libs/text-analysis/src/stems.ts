import { withoutAccents } from './fold.js';
import type { Language } from './languages.js';

/** Shorter ones have no ends to lose, and what looks like one is not; what is left of others says too little. */
const LEAST_LENGTH = 3;

/**
 * What a word has in common with its other forms, without accents.
 *
 * @param word normalised
 * @param languages that it may be in; each that is written in the word's script has its say
 * @returns one for each different view; the word itself where it has no other forms
 */
export function stemsOf(word: string, languages: readonly Language[]): readonly string[] {
  const plain = withoutAccents(word);
  if (word.length < LEAST_LENGTH) return [plain];
  const known = languages.filter(({ script }) => script.test(word));
  if (known.length === 0) return [plain];
  const stems = known.map(({ stem }) => withoutAccents(stem(word)));
  return [...new Set(stems.map((stem) => (stem.length < LEAST_LENGTH ? plain : stem)))];
}
