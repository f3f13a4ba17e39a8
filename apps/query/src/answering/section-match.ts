import { extractTerms } from '@quarry/text-analysis';
import { extractQuestionWords, matchWord, type QuestionWord } from './question-words.js';

/** Returns how well a heading, or the subject of a table row, states the topic of the question, in [0, 1]. */
export type TitleMatcher = (title: string) => number;

/**
 * Creates a function that compares a title with a question by the harmonic mean of two shares: the question's words in the title,
 * and the title's words in the question. `Upload a file` matches "How do I upload a file?" with 1.
 */
export function createTitleMatcher(question: string): TitleMatcher {
  const words = extractQuestionWords(question);
  const terms = new Set(extractTerms(question));
  const known = new Map<string, number>();
  return (title) => {
    const before = known.get(title);
    if (before !== undefined) return before;
    const titleWords = extractQuestionWords(title);
    const recall = computeShare(words, new Set(extractTerms(title)));
    const precision = computeShare(titleWords, terms);
    const match = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
    known.set(title, match);
    return match;
  };
}

function computeShare(words: readonly QuestionWord[], terms: ReadonlySet<string>): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const found = words.reduce((sum, word) => sum + word.weight * matchWord(word, terms), 0);
  return total === 0 ? 0 : found / total;
}
