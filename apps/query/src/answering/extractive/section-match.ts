import { extractTerms } from '@quarry/text-analysis';
import { extractQuestionWords, matchWord, type QuestionWord } from './question-words.js';

const LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/**
 * Returns how well a title matches the topic of a question, in [0, 1]. A title is a heading, or the subject of a
 * sentence or table row. The subject names what the sentence or row is about, such as `A run` of "A run is …".
 */
export type TitleMatcher = (title: string) => number;

/**
 * Creates a function that computes the match of a title with a question. The match is the harmonic mean of two shares:
 * the share of the question's words that are in the title, and vice versa. `Upload a file` matches "How do I upload a
 * file?" with 1.
 */
export function createTitleMatcher(question: string): TitleMatcher {
  return createMatcher(question, (text) => ({ words: extractQuestionWords(text), terms: new Set(extractTerms(text)) }));
}

/**
 * Creates a title matcher for subjects of sentences and table rows. A different form of a word, such as the plural,
 * matches less, because a row about `lamps` does not define what a lamp is.
 */
export function createSubjectMatcher(question: string): TitleMatcher {
  return createMatcher(question, (text) => {
    const words = extractUnstemmedWords(text);
    return { words, terms: new Set(words.flatMap(({ parts }) => parts.flat())) };
  });
}

/** Minimum share of the words of a subject that a question must contain, so that the share does not count as 0. */
const MIN_SUBJECT_SHARE = 0.6;

/**
 * Creates a function that computes the share of the words of a subject that the question contains. A smaller share than
 * 0.6 counts as 0. For example, the share is 1 for the subject `Total revenue` and any question that contains both
 * words.
 */
export function createPrecisionMatcher(question: string): TitleMatcher {
  const terms = new Set(extractTerms(question));
  return (subject) => {
    const share = computeWordShare(extractQuestionWords(subject), terms);
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
    const recall = computeWordShare(asked.words, terms);
    const precision = computeWordShare(words, asked.terms);
    const match = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
    known.set(title, match);
    return match;
  };
}

/**
 * Returns the words of a text, each with only the first of its terms, which is not stemmed. Omits words of one Latin,
 * Greek or Cyrillic letter, such as the article `a`, because they would lower the match of a short subject: `a run`
 * matches `run`. Names such as the `C` of `vitamin C` are kept. If every word would be omitted, all are returned.
 */
function extractUnstemmedWords(text: string): QuestionWord[] {
  const words = extractQuestionWords(text);
  const longer = words.filter(({ kind, parts }) => kind !== 'word' || !parts.every(isSingleLetter));
  return (longer.length > 0 ? longer : words).map((word) => ({
    ...word,
    parts: word.parts.map((terms) => terms.slice(0, 1)),
  }));
}

function isSingleLetter([term]: readonly string[]): boolean {
  return LETTER.test(term ?? '');
}

/**
 * Computes the share of the given words, weighted by `weight`, that a set of terms contains, in [0, 1]. Returns 0 if
 * there are no words.
 */
export function computeWordShare(words: readonly QuestionWord[], terms: ReadonlySet<string>): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const found = words.reduce((sum, word) => sum + word.weight * matchWord(word, terms), 0);
  return total === 0 ? 0 : found / total;
}
