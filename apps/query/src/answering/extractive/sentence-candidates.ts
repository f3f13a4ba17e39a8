import type { ScoredFragment } from '@quarry/fragment-store';
import { isLikelyCode } from './code.js';
import { computeSubjectMatch } from './definitions.js';
import { TITLE_SEPARATOR } from './focus-question.js';
import {
  createPrecisionMatcher,
  createSubjectMatcher,
  createTitleMatcher,
  type TitleMatcher,
} from './section-match.js';
import { type Sentence, splitIntoSentences } from './sentences.js';

/** Describes a sentence that an answer may contain. */
export interface Candidate extends Sentence {
  readonly isCode: boolean;
  /** True for the rest of a sentence that begins in the previous fragment or on the previous page. */
  readonly isIncomplete: boolean;
  readonly fragment: number;
  readonly position: number;
  /** Number of headings above the sentence in its fragment, which identifies the section of the sentence. */
  readonly section: number;
  /**
   * Match between the last heading above the sentence and the question, in [0, 1]. Decreases with each sentence of the
   * section.
   */
  readonly title: number;
  /** Match between the subject of a table row or definition and the question, in [0, 1]. 0 for other sentences. */
  readonly subjectMatch: number;
  /**
   * Share of the words of a table row's subject that the question contains. 0 if it is below 0.6, and for other
   * sentences.
   */
  readonly subjectShare: number;
}

/** Factor by which `Candidate.title` decreases with each further sentence of a section. */
const SECTION_DECAY = 0.9;

/**
 * Matches text that continues a sentence, because it starts with a small letter, a comma, a semicolon or a closing
 * parenthesis. A name such as `iPhone` does not match, because it can start a sentence.
 */
const STARTS_INSIDE = /^(?:\p{Ll}(?!\p{Ll}*\p{Lu})|[,;)])/u;
const ENDS_SENTENCE = /[.!?…。！？؟।։።]["'”’)\]]*$/u;
/** Matches an entry of a table of contents: one page number at the end, and no other number after the first cell. */
const CONTENTS_ENTRY = /^[^|]*(?:\|[^|\d]*)?\| \d{1,3}$/u;
/**
 * Matches a sentence that only refers to a different passage, such as "See …", in the languages in which such sentences
 * were found.
 */
const REFERENCE =
  /^(?:see|refer to|for (?:more|further|additional) information|siehe|weitere informationen|voir|pour plus d.informations|véase|para (?:más|mais) informa|vedi|per (?:maggiori|ulteriori) informazioni)(?!\p{L})/iu;
/** Separates the values of a table row without column headers. */
const CELL_SEPARATOR = ' | ';
/** Matches a table row without column headers that has a number after its subject. */
const VALUE = / \| .*\p{N}/su;
const DIGIT = /\p{N}/u;
/** Matches a line with a label and a value that has a number, such as `Commission File Number: 001-36743`. */
const LABELLED_NUMBER = /^[^:：\p{N}]{1,60}(?::\s|：).*\p{N}/su;
/** Matches the dots before the page number in a table of contents, such as `Part II: Other Information .... 45`. */
const DOT_LEADER = /\.{4}|(?:\. ){3}|……/;

/**
 * Returns the sentences of fragments as candidates, in text order. `Candidate.fragment` is the position of the fragment
 * in `all`.
 */
export function listCandidates(
  fragments: readonly ScoredFragment[],
  all: readonly ScoredFragment[],
  { question, isFocused }: { readonly question: string; readonly isFocused: boolean },
): Candidate[] {
  const matchers = {
    matchTitle: createTitleMatcher(question),
    matchSubject: createSubjectMatcher(question),
    matchShare: createPrecisionMatcher(question),
    isFocused,
  };
  return fragments.flatMap((fragment) => listFragmentCandidates(fragment, all.indexOf(fragment), matchers));
}

interface Matchers {
  readonly matchTitle: TitleMatcher;
  readonly matchSubject: TitleMatcher;
  readonly matchShare: TitleMatcher;
  readonly isFocused: boolean;
}

function listFragmentCandidates(source: ScoredFragment, index: number, matchers: Matchers): Candidate[] {
  const { matchTitle, matchSubject, matchShare, isFocused } = matchers;
  const [, ...headings] = source.context.split(TITLE_SEPARATOR);
  let title = matchTitle(headings.at(-1) ?? '');
  let section = 0;
  return splitIntoSentences(source.text).map((sentence, position, all) => {
    if (sentence.kind === 'heading') {
      title = matchTitle(sentence.text);
      section += 1;
    }
    const candidate = {
      ...sentence,
      isCode: isCode(sentence),
      isIncomplete: isRestOfSentence(sentence, all[position - 1], source.ordinal),
      ...{ fragment: index, position, section, title, subjectMatch: computeSubjectMatch(sentence, matchSubject) },
      subjectShare: sentence.kind === 'row' ? matchShare(sentence.subject ?? '') : 0,
    };
    if (!isFocused || sentence.kind !== 'row') title *= SECTION_DECAY;
    return candidate;
  });
}

function isRestOfSentence({ kind, text }: Sentence, previous: Sentence | undefined, ordinal: number): boolean {
  if (kind !== 'prose' || !STARTS_INSIDE.test(text)) return false;
  return previous === undefined ? ordinal > 0 : previous.kind === 'prose' && previous.isLine && !previous.isLeadIn;
}

function isCode({ kind, text }: Sentence): boolean {
  return kind === 'code' || (kind !== 'row' && isLikelyCode(text));
}

/**
 * Returns whether a candidate is a statement: a complete sentence, code, a line with a label and a number, or a table
 * row with a number after its subject. Entries of a table of contents and references to other passages are no
 * statements.
 */
export function isStatement({ kind, text, subject, isCode, isLine }: Candidate): boolean {
  if (isCode) return true;
  if (kind === 'row' && text === subject) return false;
  if (kind === 'row' && !text.includes(CELL_SEPARATOR)) return DIGIT.test(text);
  if (kind === 'row') return VALUE.test(text) && !CONTENTS_ENTRY.test(text) && !STARTS_INSIDE.test(text);
  if (REFERENCE.test(text) || STARTS_INSIDE.test(text) || DOT_LEADER.test(text)) return false;
  return ENDS_SENTENCE.test(text) || (isLine && LABELLED_NUMBER.test(text));
}
