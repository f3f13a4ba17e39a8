import type { ScoredFragment } from '@quarry/fragment-store';
import { detectLanguage, extractTerms } from '@quarry/text-analysis';
import type { SearchText } from '../../retrieval/search-texts.js';
import { getDocumentId } from '../../retrieval/document-id.js';
import { extractQuestionWords, matchWord, type QuestionWord } from './question-words.js';

/**
 * Minimum share of the question's words (the coverage) in one passage that suffices for an answer, whatever its score.
 */
const SUFFICIENT_COVERAGE = 0.6;
/**
 * Minimum evidence of a passage whose coverage is below `SUFFICIENT_COVERAGE`. Its evidence is the coverage plus half
 * of the lead of its score over other passages, which `computeScoreLead` computes.
 */
const MIN_EVIDENCE = 0.685;
const LEAD_SHARE = 0.5;
/**
 * Minimum number of passages whose scores are compared. If there are fewer, assumed passages are added, because a lead
 * over few passages is less significant.
 */
const COMPARED_COUNT = 8;
/** Score of an assumed passage, as a share of the score of the passage whose lead is computed. */
const ASSUMED_SHARE = 0.2;
/**
 * Minimum share of the question's words that a passage must contain. Names and numbers that are in its document name or
 * headings do not count.
 */
const MIN_TOPIC_COVERAGE = 0.2;
/**
 * Minimum score of a passage that suffices for an answer although its language differs from the question's. Such a
 * passage shares only names and numbers with the question, so the shares of words do not decide.
 */
const MIN_SCORE_OF_OTHER_LANGUAGE = 0.5;
/** Minimum number of passages that must contain a word so that it counts as common, and weighs little. */
const COMMON_COUNT = 20;

/** Holds how well one passage contains the words of a question. */
interface PassageMatch {
  /** Degree to which the passage contains each word of the question: one value in [0, 1] per word. */
  readonly words: readonly number[];
  /**
   * Degree to which the document's name and the headings above the passage contain each word of the question: one value
   * in [0, 1] per word.
   */
  readonly context: readonly number[];
  readonly fragment: ScoredFragment;
}

/** Holds the passages from which a question can be answered. */
export interface Evidence {
  /** The selected fragments, best first. Empty if they do not contain enough of the question's words. */
  readonly fragments: readonly ScoredFragment[];
  /**
   * Terms of the question's names and numbers that are in the name or headings of every fragment. So the sentences of
   * an answer need not contain these terms.
   */
  readonly titleTerms: ReadonlySet<string>;
}

const NO_EVIDENCE: Evidence = { fragments: [], titleTerms: new Set() };

/**
 * Selects the fragments that can answer a question without a model, and keeps their order. If none is selected, the
 * answer is an abstention. The words of the document name and the headings count as words of a fragment.
 *
 * - A document is omitted if it lacks a proper name or number of the question that another document has in its title or
 *   headings.
 * - The result is empty if the question has proper names and no document contains any of them.
 * - The result is also empty if no passage contains enough of the question's words.
 */
export function selectEvidence(fragments: readonly ScoredFragment[], texts: readonly SearchText[]): Evidence {
  const terms = fragments.map(extractPassageTerms);
  const selections = texts.map(({ text }) => selectEvidenceForText(text, terms));
  return selections.find((selected) => selected.fragments.length > 0) ?? NO_EVIDENCE;
}

interface PassageTerms {
  readonly fragment: ScoredFragment;
  readonly context: ReadonlySet<string>;
  /** Terms of the context and the text. */
  readonly whole: ReadonlySet<string>;
}

function extractPassageTerms(fragment: ScoredFragment): PassageTerms {
  const context = new Set(extractTerms(fragment.context));
  return { fragment, context, whole: new Set([...context, ...extractTerms(fragment.text)]) };
}

function selectEvidenceForText(question: string, terms: readonly PassageTerms[]): Evidence {
  const words = extractQuestionWords(question);
  const all = terms.map(({ fragment, context, whole }) => ({
    fragment,
    context: words.map((word) => matchWord(word, context)),
    words: words.map((word) => matchWord(word, whole)),
  }));
  if (lacksAllNames(words, all) && !all.some(({ fragment }) => isRelevantInOtherLanguage(question, fragment)))
    return NO_EVIDENCE;
  const fitting = selectFittingDocuments(words, all);
  if (!fitting.some((match) => isSufficientPassage(question, words, match, all))) return NO_EVIDENCE;
  return { fragments: fitting.map(({ fragment }) => fragment), titleTerms: listTitleTerms(words, fitting) };
}

function listTitleTerms(words: readonly QuestionWord[], matches: readonly PassageMatch[]): ReadonlySet<string> {
  const titled = words.filter(
    ({ kind }, at) => kind !== 'word' && matches.every(({ context }) => (context[at] ?? 0) === 1),
  );
  return new Set(titled.flatMap(({ parts }) => parts.flat()));
}

/** Penalty of a document for each proper name of the question that it does not contain. */
const MISSING_NAME_PENALTY = 2;
/** Penalty of a document for each number of the question that it does not contain. */
const MISSING_NUMBER_PENALTY = 1;

/**
 * Omits documents that lack a proper name or number of the question, if it is in the title or headings of another
 * document. For example, a question about Apple is not answered from the report of another company. If every document
 * lacks some of them, returns the passages of the documents with the lowest penalty.
 */
function selectFittingDocuments(
  words: readonly QuestionWord[],
  matches: readonly PassageMatch[],
): readonly PassageMatch[] {
  const distinctive = words.flatMap(({ kind }, at) => (kind === 'word' ? [] : [at]));
  const titled = distinctive.filter((at) => matches.some(({ context }) => context[at] === 1));
  const missing = new Map<string, number>();
  for (const [id, passages] of Map.groupBy(matches, ({ fragment }) => getDocumentId(fragment))) {
    const absent = titled.filter((at) => passages.every((passage) => (passage.words[at] ?? 0) < 1));
    const penalties = absent.map((at) => (words[at]?.kind === 'name' ? MISSING_NAME_PENALTY : MISSING_NUMBER_PENALTY));
    missing.set(
      id,
      penalties.reduce((sum, penalty) => sum + penalty, 0),
    );
  }
  const least = Math.min(...missing.values());
  return matches.filter(({ fragment }) => missing.get(getDocumentId(fragment)) === least);
}

/**
 * Returns whether the question contains names, but no passage contains any of them. A similar word, such as a part of a
 * compound word, counts as the name.
 */
function lacksAllNames(words: readonly QuestionWord[], matches: readonly PassageMatch[]): boolean {
  const names = words.flatMap(({ kind }, at) => (kind === 'name' ? [at] : []));
  return names.length > 0 && names.every((at) => matches.every((match) => (match.words[at] ?? 0) === 0));
}

function isSufficientPassage(
  question: string,
  words: readonly QuestionWord[],
  match: PassageMatch,
  all: readonly PassageMatch[],
): boolean {
  const { fragment } = match;
  if (computeTopicCoverage(words, match) < MIN_TOPIC_COVERAGE) return isRelevantInOtherLanguage(question, fragment);
  const coverage = computeCoverage(words, match, all);
  if (coverage >= SUFFICIENT_COVERAGE || coverage + LEAD_SHARE * computeScoreLead(fragment, all) >= MIN_EVIDENCE)
    return true;
  return isRelevantInOtherLanguage(question, fragment);
}

/**
 * Computes by how much the score of a passage exceeds the mean score of the other passages, as a share of its own
 * score. Unlike the difference, the share is comparable between datastores of any size, although all scores are higher
 * in larger ones.
 */
function computeScoreLead({ id, score }: ScoredFragment, all: readonly PassageMatch[]): number {
  if (score <= 0) return 0;
  const others = all.filter(({ fragment }) => fragment.id !== id);
  const assumed = Math.max(0, COMPARED_COUNT - 1 - others.length);
  const total = others.reduce((sum, { fragment }) => sum + fragment.score / score, ASSUMED_SHARE * assumed);
  return 1 - total / (others.length + assumed);
}

/**
 * Returns the weighted share of the question's words that a passage contains. Ignores names and numbers that are in its
 * document name or headings.
 */
function computeTopicCoverage(words: readonly QuestionWord[], match: PassageMatch): number {
  let found = 0;
  let total = 0;
  for (const [at, { kind, weight }] of words.entries()) {
    if (kind !== 'word' && match.context[at] === 1) continue;
    found += weight * (match.words[at] ?? 0);
    total += weight;
  }
  return total === 0 ? 1 : found / total;
}

/**
 * Returns the weighted share of the question's words that a passage contains. Words that few passages contain weigh
 * more.
 */
function computeCoverage(words: readonly QuestionWord[], match: PassageMatch, all: readonly PassageMatch[]): number {
  let found = 0;
  let total = 0;
  for (const [at, { weight }] of words.entries()) {
    const passages = all.filter((passage) => (passage.words[at] ?? 0) > 0).length;
    const value = weight * Math.log(1 + COMMON_COUNT / (1 + passages));
    found += value * (match.words[at] ?? 0);
    total += value;
  }
  return total === 0 ? 0 : found / total;
}

/**
 * Returns whether the language of a passage differs from the question's, but its score is high enough for an answer.
 */
function isRelevantInOtherLanguage(question: string, { score, text }: ScoredFragment): boolean {
  if (score < MIN_SCORE_OF_OTHER_LANGUAGE) return false;
  const [one, other] = [detectLanguage(question), detectLanguage(text)];
  return one !== undefined && other !== undefined && one !== other;
}
