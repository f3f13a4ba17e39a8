import { extractTerms } from '@quarry/text-analysis';
import { extractQuestionWords, matchWord, type QuestionWord } from './question-words.js';

const LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/** Returns how well a heading, or the subject of a sentence, states the topic of the question, in [0, 1]. */
export type TitleMatcher = (title: string) => number;

/**
 * Creates a function that computes the match of a title with a question. The match is the harmonic mean of two shares:
 * the question's words in the title, and the title's words in the question. `Upload a file` matches "How do I upload a
 * file?" with 1.
 */
export function createTitleMatcher(question: string): TitleMatcher {
  return createMatcher(question, (text) => ({ words: extractQuestionWords(text), terms: new Set(extractTerms(text)) }));
}

/**
 * Creates a title matcher for subjects of sentences and table rows. Other forms of a word match less, because a row
 * about `lamps` does not define what a lamp is.
 */
export function createSubjectMatcher(question: string): TitleMatcher {
  return createMatcher(question, (text) => {
    const words = extractUnstemmedWords(text);
    return { words, terms: new Set(words.flatMap(({ parts }) => parts.flat())) };
  });
}

/** Minimum share of the words of a subject that a question must contain. */
const MIN_SUBJECT_SHARE = 0.6;

/**
 * Creates a function that computes the share of the words of a subject that the question contains. A smaller share than
 * 0.6 counts as 0. `Total revenue` matches a long question about the total revenue with 1.
 */
export function createPrecisionMatcher(question: string): TitleMatcher {
  const terms = new Set(extractTerms(question));
  return (subject) => {
    const share = computeShare(extractQuestionWords(subject), terms);
    return share >= MIN_SUBJECT_SHARE ? share : 0;
  };
}

interface AnalyzedTitle {
  readonly words: readonly QuestionWord[];
  readonly terms: ReadonlySet<string>;
}

function createMatcher(question: string, analyze: (text: string) => AnalyzedTitle): TitleMatcher {
  const asked = analyze(question);
  const known = new Map<string, number>();
  return (title) => {
    const before = known.get(title);
    if (before !== undefined) return before;
    const { words, terms } = analyze(title);
    const recall = computeShare(asked.words, terms);
    const precision = computeShare(words, asked.terms);
    const match = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
    known.set(title, match);
    return match;
  };
}

/**
 * Returns the words of a text without their stems, which follow each word in its terms. Omits articles and other words
 * of one letter, because they would lower the match of a short subject: "a run" matches `run`.
 */
function extractUnstemmedWords(text: string): QuestionWord[] {
  const words = extractQuestionWords(text);
  const longer = words.filter(({ kind, parts }) => kind !== 'word' || !parts.every(isLetter));
  return (longer.length > 0 ? longer : words).map((word) => ({
    ...word,
    parts: word.parts.map((terms) => terms.slice(0, 1)),
  }));
}

function isLetter([term]: readonly string[]): boolean {
  return LETTER.test(term ?? '');
}

function computeShare(words: readonly QuestionWord[], terms: ReadonlySet<string>): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const found = words.reduce((sum, word) => sum + word.weight * matchWord(word, terms), 0);
  return total === 0 ? 0 : found / total;
}
