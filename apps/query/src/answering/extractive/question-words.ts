import { analyzeQueryTerms, extractTerms } from '@quarry/text-analysis';

/** Describes a word of a question that is not a stop word. */
export interface QuestionWord {
  /** The word as written, without a possessive ending. */
  readonly text: string;
  /**
   * Normalized terms (such as the word itself and its stem) of each part of the word. `10-Q` has two parts, and most
   * words have one.
   */
  readonly parts: readonly (readonly string[])[];
  /**
   * Kind of the word. `name`: a capitalized word within a sentence, or a word with several capitals or a capital after
   * a small letter, such as `iPhone`. `number`: contains a digit.
   */
  readonly kind: 'name' | 'number' | 'word';
  /**
   * Weight of the word in comparisons, which does not depend on the number of texts that contain it. Names and numbers
   * weigh most, and short words least.
   */
  readonly weight: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:[.,'’&-][\p{L}\p{N}\p{M}]+)*/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
const POSSESSIVE = /['’]s$/u;
const DIGIT = /\p{N}/u;
const CAPITALIZED = /^\p{Lu}/u;
/** Matches a word with several capitals, or with a capital after a small letter. */
const INNER_CAPITALS = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u;
const LOWER_CASE = /\p{Ll}/u;
const SENTENCE_END = /[.?!:…]/u;
/** Matches a character that can stand between the end of a sentence and the white space after it. */
const CLOSING = /["'”’)\]]/u;
/** Matches a character that can stand before the first word of a sentence. */
const OPENING = /[\s"'“‘¿¡([]/u;
/** Matches a letter of a script that has no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;

/**
 * Minimum number of letters of an alphabetic word with full weight. Shorter words weigh less, because many are function
 * words.
 */
const FULL_WEIGHT_LENGTH = 6;
const FULL_UNSPACED_LENGTH = 2;
const NAME_WEIGHT = 3;
/** Maximum number of words of a question that are compared. The words after them add little. */
const MAX_WORDS = 48;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Returns the words of a question in text order, without stop words. */
export function extractQuestionWords(question: string): QuestionWord[] {
  const significant = new Set(analyzeQueryTerms(question));
  const hasLowerCase = LOWER_CASE.test(question);
  const words: QuestionWord[] = [];
  for (const { index, 0: run } of question.matchAll(WORD)) {
    const isStart = isSentenceStart(question, index);
    for (const text of UNSPACED.test(run) ? splitUnspacedText(run) : [run.replace(POSSESSIVE, '')]) {
      const parts = (text.match(PART) ?? []).flatMap(extractTermsOfPart);
      if (!parts.some((terms) => terms.some((term) => significant.has(term)))) continue;
      const kind = classifyWord(text, isStart, hasLowerCase);
      words.push({ text, parts, kind, weight: computeWordWeight(text, kind) });
      if (words.length === MAX_WORDS) return words;
    }
  }
  return words;
}

/**
 * Returns whether a sentence starts at a position of a text, so that a capital letter there does not indicate a name.
 * Reads each character at most twice: a regular expression would need quadratic time for many quotation marks.
 */
function isSentenceStart(text: string, index: number): boolean {
  const start = skipBackward(text, index, OPENING);
  return start === 0 || SENTENCE_END.test(text.charAt(skipBackward(text, start, CLOSING) - 1));
}

/** Returns the position of the first of the characters directly before `index` that all match. */
function skipBackward(text: string, index: number, pattern: RegExp): number {
  let start = index;
  while (start > 0 && pattern.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Returns one list with the terms of a part of a word. For ideographs, returns one list per pair, because single
 * ideographs occur in most texts.
 */
function extractTermsOfPart(part: string): (readonly string[])[] {
  const terms = extractTerms(part);
  const pairs = IDEOGRAPHIC.test(part) ? terms.filter((term) => term.length > 1) : [];
  return pairs.length > 0 ? pairs.map((pair) => [pair]) : [terms];
}

function splitUnspacedText(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function classifyWord(text: string, isStart: boolean, hasLowerCase: boolean): QuestionWord['kind'] {
  if (DIGIT.test(text)) return 'number';
  const isCapitalized = !isStart && CAPITALIZED.test(text);
  return hasLowerCase && (isCapitalized || INNER_CAPITALS.test(text)) ? 'name' : 'word';
}

function computeWordWeight(text: string, kind: QuestionWord['kind']): number {
  if (kind !== 'word') return NAME_WEIGHT;
  if (UNSPACED.test(text)) return Math.min(1, text.length / FULL_UNSPACED_LENGTH);
  return ALPHABETIC.test(text) ? Math.min(1, text.length / FULL_WEIGHT_LENGTH) : 1;
}

/**
 * Similarity of two words that share their beginning, such as `interceptions` and `intercept`, or one of which contains
 * the other, such as `Titelverteidiger` and `Titel`.
 */
const PARTIAL_SIMILARITY = 0.7;
/** Minimum number of characters of a word that counts as a part of a longer compound word. */
const MIN_COMPONENT_LENGTH = 5;
const MIN_STEM_LENGTH = 4;
/** Minimum length of the common beginning of two similar words, as a share of the longer word. */
const MIN_SHARED_SHARE = 0.6;

/**
 * Returns how well a set of terms contains a word: 1 for the word or its stem, 0.7 for a similar word, otherwise 0.
 * Similar words have the same beginning, or one contains the other. Numbers have no similar words.
 */
export function matchWord({ parts, kind }: QuestionWord, terms: ReadonlySet<string>): number {
  return Math.min(...parts.map((part) => matchPart(part, kind, terms)));
}

function matchPart(part: readonly string[], kind: QuestionWord['kind'], terms: ReadonlySet<string>): number {
  if (part.some((term) => terms.has(term))) return 1;
  if (kind === 'number') return 0;
  for (const term of terms)
    if (part.some((own) => hasSameStem(own, term) || containsOtherTerm(own, term))) return PARTIAL_SIMILARITY;
  return 0;
}

/** Returns whether one of two terms contains the other, as a compound word contains its parts. */
function containsOtherTerm(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < MIN_COMPONENT_LENGTH) return false;
  return one.includes(other) || other.includes(one);
}

/** Returns whether two terms have a common beginning of at least four letters and at least 60 % of the longer term. */
export function hasSameStem(one: string, other: string): boolean {
  const least = Math.max(MIN_STEM_LENGTH, MIN_SHARED_SHARE * Math.max(one.length, other.length));
  if (Math.min(one.length, other.length) < least) return false;
  for (let at = 0; at < least; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
