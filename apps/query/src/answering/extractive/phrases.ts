import { extractTerms } from '@quarry/text-analysis';
import { extractQuestionWords, matchWord, type QuestionWord } from './question-words.js';

/** Describes two significant words that follow each other in a question, such as `gross margin`. */
type Phrase = readonly [QuestionWord, QuestionWord];

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/**
 * Maximum distance between the two words of a phrase in a sentence that contains it, counted in words. Function words
 * may be between them: `research and development`.
 */
const MAX_DISTANCE = 2;
/**
 * Maximum distance, counted in words, at which two words of a question are near each other in a sentence, in any order.
 */
const MAX_NEAR_DISTANCE = 4;
/** Minimum number of sentences that must contain a phrase so that it counts as common, and weighs little. */
const COMMON_COUNT = 20;

/**
 * Computes how many phrases of the question each sentence contains, as a weighted share in [0, 1]. Phrases that no
 * sentence contains are ignored. A phrase weighs more if fewer sentences contain it.
 */
export function computePhraseMatches(sentences: readonly string[], question: string): number[] {
  const phrases = listPhrases(question);
  if (phrases.length === 0) return sentences.map(() => 0);
  const cache = new Map<string, ReadonlySet<string>>();
  const rows = sentences.map((sentence) => {
    const tokens = tokenize(sentence, cache);
    return phrases.map((phrase) => (containsPhrase(tokens, phrase) ? 1 : 0));
  });
  const weights = phrases.map((_, at) => {
    const count = rows.filter((row) => row[at] === 1).length;
    return count === 0 ? 0 : Math.log(1 + COMMON_COUNT / (1 + count));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return rows.map((row) =>
    total === 0 ? 0 : row.reduce<number>((sum, found, at) => sum + found * (weights[at] ?? 0), 0) / total,
  );
}

/**
 * Creates a function that returns whether a sentence contains two neighbouring words of the question near each other,
 * in any order. An example is `share repurchase` in `We repurchased 46 million shares`. If the question has only one
 * significant word, a sentence needs to contain only this word.
 */
export function createPhraseFinder(question: string): (sentence: string) => boolean {
  const words = extractQuestionWords(question);
  const [only] = words;
  const pairs = words.length === 1 && only !== undefined ? [[only, only] as const] : listPhrases(question);
  const cache = new Map<string, ReadonlySet<string>>();
  return (sentence) => {
    const tokens = tokenize(sentence, cache);
    return pairs.some(([first, second]) =>
      hasNearPositions(listWordPositions(tokens, first), listWordPositions(tokens, second)),
    );
  };
}

function listWordPositions(tokens: readonly ReadonlySet<string>[], word: QuestionWord): number[] {
  return tokens.flatMap((token, at) => (matchWord(word, token) === 1 ? [at] : []));
}

function hasNearPositions(positions: readonly number[], others: readonly number[]): boolean {
  return positions.some((position) => others.some((other) => Math.abs(position - other) <= MAX_NEAR_DISTANCE));
}

function listPhrases(question: string): Phrase[] {
  const words = extractQuestionWords(question);
  return words.slice(1).flatMap((word, at) => {
    const previous = words[at];
    return previous === undefined ? [] : [[previous, word] as const];
  });
}

function tokenize(sentence: string, cache: Map<string, ReadonlySet<string>>): ReadonlySet<string>[] {
  return Array.from(sentence.toLowerCase().matchAll(WORD), ([token]) => {
    const before = cache.get(token);
    const terms = before ?? new Set(extractTerms(token));
    if (before === undefined) cache.set(token, terms);
    return terms;
  });
}

function containsPhrase(tokens: readonly ReadonlySet<string>[], [first, second]: Phrase): boolean {
  return tokens.some((token, at) => {
    if (matchWord(first, token) < 1) return false;
    return tokens.slice(at + 1, at + 1 + MAX_DISTANCE).some((next) => matchWord(second, next) === 1);
  });
}
