import { extractTerms } from '@quarry/text-analysis';
import { createPhraseFinder } from './phrases.js';
import { extractQuestionWords, matchWord } from './question-words.js';
import { computeWordShare } from './section-match.js';
import type { Candidate } from './sentence-candidates.js';

/**
 * Minimum match between a heading and the question for which all sentences below the heading count as being about the
 * question.
 */
export const SECTION_MATCH = 0.75;
/**
 * Minimum share of the question's words that a sentence without a quantity must contain. A smaller share is not
 * sufficient, because such a sentence often mentions a phrase of the question only in passing.
 */
const MIN_COVERAGE = 0.6;
/** Matches an amount of money, a percentage or a number with a separator, such as `$ 5`, `7 %` or `46.2`. */
const QUANTITY = /\p{Sc}\s?\(?\d|\d\s?[%\p{Sc}]|\d[.,]\d/u;

/**
 * Creates a function that returns whether a candidate is about the question. This is the case if the heading above it
 * matches the question. Otherwise, the candidate itself must contain certain words. A table row must contain a phrase
 * or a name of the question, and code most of its words. Any other text must contain a phrase, and also a quantity or
 * most of the words.
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
