import { extractTerms } from '@quarry/text-analysis';
import { createPhraseFinder } from './phrases.js';
import { extractQuestionWords, matchWord } from './question-words.js';
import { computeWordShare } from './section-match.js';
import type { Candidate } from './sentence-candidates.js';

/** Minimum match of a heading with the question, so that all sentences below it count as being about the question. */
export const SECTION_MATCH = 0.75;
/**
 * Minimum share of the question's words that a sentence without a quantity must contain. Such a sentence often mentions
 * a phrase only in passing.
 */
const MIN_COVERAGE = 0.6;
/** Matches an amount of money, a percentage or a number with a separator, such as `$ 5`, `7 %` or `46.2`. */
const QUANTITY = /\p{Sc}\s?\(?\d|\d\s?[%\p{Sc}]|\d[.,]\d/u;

/**
 * Creates a function that returns whether a candidate is about the question. This is the case if the heading above it
 * matches the question. Otherwise, it contains a phrase of the question, and also a quantity or most words of the
 * question. A table row needs only the phrase, or a name of the question, and code only the words. Other sentences of
 * the passage do not count.
 */
export function createTopicFilter(question: string): (candidate: Candidate) => boolean {
  const words = extractQuestionWords(question);
  const names = words.filter(({ kind }) => kind === 'name');
  const containsPhrase = createPhraseFinder(question);
  return ({ text, kind, isCode, title }) => {
    if (title >= SECTION_MATCH) return true;
    const hasPhrase = containsPhrase(text);
    const terms = new Set(extractTerms(text));
    if (kind === 'row') return hasPhrase || names.some((name) => matchWord(name, terms) === 1);
    const coverage = computeWordShare(words, terms);
    return coverage >= MIN_COVERAGE ? hasPhrase || isCode : hasPhrase && QUANTITY.test(text);
  };
}
