import type { ScoredFragment } from '@quarry/fragment-store';
import { CitationMarks } from '@quarry/text-analysis/citation-marks';
import { getDocumentId } from '../../retrieval/document-id.js';
import type { SearchText } from '../../retrieval/search-texts.js';
import { hasBalancedBrackets } from './code.js';
import { DEFINITION_MATCH } from './definitions.js';
import { adjustFocusedScores, computeOwnRelevance, computeScores } from './score-candidates.js';
import type { FocusedSources } from './search-named-documents.js';
import { selectEvidence } from './select-evidence.js';
import { selectFocusedEvidence } from './select-focused-evidence.js';
import { type Candidate, isStatement, listCandidates } from './sentence-candidates.js';
import { createTopicFilter, SECTION_MATCH } from './topic-filter.js';

/** Holds an answer that consists of sentences of the found fragments. */
export interface ExtractiveAnswer {
  readonly text: string;
  /** The text with a citation mark after the sentences of each fragment, such as `[2]` for the second fragment. */
  readonly markedText: string;
  /** Zero-based indexes of the fragments that contain the sentences of the answer. */
  readonly cited: ReadonlySet<number>;
}

/** Maximum number of sentences of an answer, tuned on the dataset XQuAD together with `MAX_LENGTH`. */
const MAX_SENTENCES = 4;
const MAX_LENGTH = 700;
/** Minimum score of each further sentence of an answer, as a share of the score of its best sentence. */
const MIN_SCORE_SHARE = 0.7;
/**
 * Minimum as `MIN_SCORE_SHARE`, but for a sentence in a different fragment than the best sentence, or below a different
 * heading.
 */
const MIN_SCORE_SHARE_ELSEWHERE = 0.85;
/**
 * Minimum as `MIN_SCORE_SHARE`, but for a sentence below the heading of the best sentence, if this heading matches the
 * question. It is low, so that the answer consists of the start of this section.
 */
const MIN_SCORE_SHARE_IN_SECTION = 0.4;
/**
 * Maximum length, in characters, of code in an answer whose best sentence is prose. Longer code is data rather than a
 * command.
 */
const MAX_CODE_LENGTH = 300;

/** Matches a word or a number, such as `82,959`. */
const WORD = /[\p{L}\p{N}]+(?:[.,][\p{L}\p{N}]+)*/gu;

interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

/**
 * Returns the sentences of the fragments that answer the question best, in reading order.
 *
 * @param fragments best first, with scores in [0, 1]
 * @returns undefined if the fragments do not contain enough of the question's words
 */
export function extractAnswer(
  fragments: readonly ScoredFragment[],
  texts: readonly SearchText[],
): ExtractiveAnswer | undefined {
  const evidence = selectEvidence(fragments, texts);
  const question = texts[0]?.text ?? '';
  const candidates = listCandidates(evidence.fragments, fragments, { question, isFocused: false });
  const relevances = computeOwnRelevance(candidates, texts, evidence.titleTerms, undefined);
  const ranked = rankCandidates(candidates, computeScores(candidates, relevances, fragments));
  const answers = ranked.filter(({ candidate }) => !candidate.isLeadIn && !candidate.isIncomplete);
  return buildAnswer(answers.length > 0 ? answers : ranked, fragments);
}

/**
 * Returns the statements that answer the question best, in reading order, from the documents that the question names.
 * The words that name the documents are not compared, because the search was limited to these documents.
 *
 * @returns undefined if the documents contain no such statement
 */
export function extractFocusedAnswer(sources: FocusedSources): ExtractiveAnswer | undefined {
  const { focus, fragments } = sources;
  const evidence = selectFocusedEvidence(fragments, focus);
  const candidates = listCandidates(evidence, fragments, { question: focus, isFocused: true });
  const relevances = computeOwnRelevance(candidates, [{ text: focus, weight: 1 }], new Set(), focus);
  const scores = adjustFocusedScores(candidates, computeScores(candidates, relevances, fragments), sources);
  const isOnTopic = createTopicFilter(focus);
  const statements = rankCandidates(candidates, scores).filter(
    ({ candidate }) => !candidate.isLeadIn && !candidate.isIncomplete && isStatement(candidate) && isOnTopic(candidate),
  );
  return buildAnswer(statements, fragments);
}

function rankCandidates(candidates: readonly Candidate[], scores: readonly number[]): Ranked[] {
  return candidates
    .map((candidate, at) => ({ candidate, score: scores[at] ?? 0 }))
    .sort((one, other) => other.score - one.score);
}

function buildAnswer(ranked: readonly Ranked[], fragments: readonly ScoredFragment[]): ExtractiveAnswer | undefined {
  const sentences = selectSentences(ranked, fragments).map((sentence) => removeOwnNumbers(sentence, fragments.length));
  const passages = joinSentencesInReadingOrder(sentences);
  if (passages.length === 0) return undefined;
  return {
    text: passages.map(({ text }) => text).join('\n\n'),
    markedText: passages.map(addCitationMark).join('\n\n'),
    cited: new Set(passages.map(({ fragment }) => fragment)),
  };
}

/**
 * Removes the numbers in brackets with which a source refers to its own references. In an answer, they would cite the
 * sources of the answer. Code stays unchanged.
 */
function removeOwnNumbers(sentence: Candidate, sources: number): Candidate {
  if (sentence.isCode) return sentence;
  const marks = new CitationMarks(sources);
  return { ...sentence, text: marks.pushText(sentence.text) + marks.endText() };
}

function selectSentences(ranked: readonly Ranked[], fragments: readonly ScoredFragment[]): Candidate[] {
  const [best] = ranked;
  if (best === undefined) return [];
  const chosen: Candidate[] = [];
  let length = 0;
  for (const { candidate, score } of ranked) {
    if (chosen.length === MAX_SENTENCES) break;
    if (score < getMinScoreShare(candidate, best.candidate, fragments) * best.score) continue;
    if (isOutOfPlaceCode(candidate, best.candidate)) continue;
    if (chosen.some((other) => isRepetition(candidate, other))) continue;
    if (chosen.length > 0 && length + candidate.text.length > MAX_LENGTH) continue;
    chosen.push(candidate);
    length += candidate.text.length;
  }
  return chosen;
}

/**
 * Returns whether one of two candidates contains the other. For table rows, it suffices that one contains the words of
 * the other in order, as reports repeat rows in shorter tables or without units.
 */
function isRepetition(candidate: Candidate, other: Candidate): boolean {
  if (candidate.text.includes(other.text) || other.text.includes(candidate.text)) return true;
  if (candidate.kind !== 'row' || other.kind !== 'row') return false;
  return containsWordsInOrder(candidate.text, other.text) || containsWordsInOrder(other.text, candidate.text);
}

/** Returns whether a text contains all words of another text in their order, possibly with words between them. */
function containsWordsInOrder(text: string, searchedText: string): boolean {
  const searched = searchedText.match(WORD) ?? [];
  let found = 0;
  for (const word of text.match(WORD) ?? []) if (word === searched[found]) found += 1;
  return found === searched.length;
}

/**
 * Returns the minimum score of a further sentence, as a share of the best sentence's score. `Infinity` excludes the
 * sentence.
 */
function getMinScoreShare(candidate: Candidate, best: Candidate, fragments: readonly ScoredFragment[]): number {
  const [document, bestDocument] = [candidate, best].map(({ fragment: at }) => {
    const fragment = fragments[at];
    return fragment && getDocumentId(fragment);
  });
  const isSameDocument = document === bestDocument;
  const isAnsweredBySection = best.kind !== 'row' && best.title >= SECTION_MATCH;
  const isAnswered = isAnsweredBySection || best.subjectMatch >= DEFINITION_MATCH;
  if (!isSameDocument) return isAnswered ? Infinity : MIN_SCORE_SHARE_ELSEWHERE;
  if (candidate.fragment !== best.fragment || candidate.section !== best.section) return MIN_SCORE_SHARE_ELSEWHERE;
  return isAnsweredBySection ? MIN_SCORE_SHARE_IN_SECTION : MIN_SCORE_SHARE;
}

/**
 * Returns whether a candidate is code that would add nothing to the answer. This applies to an incomplete piece of
 * code. If the best sentence is prose, it also applies to code that is long or in a different fragment.
 */
function isOutOfPlaceCode(candidate: Candidate, best: Candidate): boolean {
  if (!candidate.isCode || candidate === best) return false;
  if (!hasBalancedBrackets(candidate.text)) return true;
  return !best.isCode && (candidate.text.length > MAX_CODE_LENGTH || candidate.fragment !== best.fragment);
}

/** Holds the chosen sentences of one fragment. */
interface AnswerPassage {
  readonly text: string;
  readonly fragment: number;
  readonly endsWithCode: boolean;
}

/** Joins the sentences of each fragment in reading order. The fragment with the best sentence comes first. */
function joinSentencesInReadingOrder(chosen: readonly Candidate[]): readonly AnswerPassage[] {
  return Array.from(
    Map.groupBy(chosen, ({ fragment }) => fragment),
    ([fragment, group]) => {
      const ordered = group.toSorted((one, other) => one.position - other.position);
      const text = ordered
        .map((candidate, at) => chooseSeparator(ordered[at - 1], candidate) + candidate.text)
        .join('');
      return { text, fragment, endsWithCode: ordered.at(-1)?.isCode === true };
    },
  );
}

function chooseSeparator(previous: Candidate | undefined, next: Candidate): string {
  if (previous === undefined) return '';
  if (previous.isCode || next.isCode) return '\n\n';
  return previous.isLine || next.isLine ? '\n' : ' ';
}

/**
 * Adds the citation mark at the end of a passage. If the passage ends with code, the mark is below the code, whose
 * lines must not change.
 */
function addCitationMark({ text, fragment, endsWithCode }: AnswerPassage): string {
  return `${text}${endsWithCode ? '\n\n' : ' '}[${fragment + 1}]`;
}
