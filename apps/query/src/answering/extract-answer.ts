import type { ScoredFragment } from '@quarry/fragment-store';
import type { SearchText } from '../retrieval/search-texts.js';
import { computeRelevance } from './relevance.js';
import { type Sentence, splitIntoSentences } from './sentences.js';

/** Holds an answer that consists of sentences of the fragments. */
export interface ExtractiveAnswer {
  readonly text: string;
  /** Zero-based indexes of the fragments that contain the sentences of the answer. */
  readonly cited: ReadonlySet<number>;
}

/** Maximum number of sentences, tuned on XQuAD together with the maximum length. */
const MAX_SENTENCES = 3;
const MAX_LENGTH = 600;
/** Minimum score of a further sentence of the answer, as a share of the best sentence's score. */
const MIN_SCORE_SHARE = 0.7;
/** Weight of a fragment's own score in the score of its sentences. */
const FRAGMENT_SHARE = 0.7;
/** Weight of the sentence before or after in the score of a sentence. */
const NEIGHBOUR_SHARE = 0.3;
/** Weight of a heading or question in the score of the sentence after it. */
const LEAD_IN_SHARE = 0.8;
/** Factor for the score of code, whose words are names that rarely answer a question. */
const CODE_SHARE = 0.5;
/** Minimum share of the question's words in one sentence. Without it, and below `MIN_FRAGMENT_SCORE`, there is no answer. */
const MIN_COVERAGE = 0.2;
/** Minimum score of the best fragment for an answer whose words differ from those of the question. */
const MIN_FRAGMENT_SCORE = 0.5;

interface Candidate extends Sentence {
  readonly isCode: boolean;
  readonly fragment: number;
  readonly position: number;
}

/**
 * Returns the sentences of the fragments that answer the question best, in reading order.
 *
 * @param fragments best first, with scores in [0, 1]
 * @returns undefined if no sentence is relevant
 */
export function extractAnswer(
  fragments: readonly ScoredFragment[],
  texts: readonly SearchText[],
): ExtractiveAnswer | undefined {
  const candidates = fragments.flatMap(({ text }, fragment) =>
    splitIntoSentences(text).map((sentence, position): Candidate => ({
      ...sentence,
      ...{ isCode: isLikelyCode(sentence.text), fragment, position },
    })),
  );
  const { scores: unweighted, coverage } = computeRelevance(
    candidates.map(({ text }) => text),
    texts,
  );
  const scores = unweighted.map((score, at) => (candidates[at]?.isCode === true ? CODE_SHARE * score : score));
  if (coverage < MIN_COVERAGE && (fragments[0]?.score ?? 0) < MIN_FRAGMENT_SCORE) return undefined;
  const ranked = candidates
    .map((candidate, at) => ({ candidate, score: computeScore(candidates, at, scores, fragments) }))
    .sort((one, other) => other.score - one.score);
  const chosen = selectSentences(
    ranked.some(({ candidate }) => !candidate.isLeadIn) ? ranked.filter(isAnswer) : ranked,
  );
  if (chosen.length === 0) return undefined;
  return { text: joinInReadingOrder(chosen), cited: new Set(chosen.map(({ fragment }) => fragment)) };
}

function isAnswer({ candidate }: { readonly candidate: Candidate }): boolean {
  return !candidate.isLeadIn;
}

/**
 * Computes the score of a sentence from its relevance, that of its neighbours and the score of its fragment.
 *
 * @param at its index
 */
function computeScore(
  candidates: readonly Candidate[],
  at: number,
  scores: readonly number[],
  fragments: readonly ScoredFragment[],
): number {
  const fragment = candidates[at]?.fragment;
  const computeNeighbourShare = (place: number, part: number): number =>
    candidates[place]?.fragment === fragment ? part * (scores[place] ?? 0) : 0;
  const before = computeNeighbourShare(at - 1, candidates[at - 1]?.isLeadIn === true ? LEAD_IN_SHARE : NEIGHBOUR_SHARE);
  const after = candidates[at + 1]?.isLeadIn === true ? 0 : computeNeighbourShare(at + 1, NEIGHBOUR_SHARE);
  const best = fragments[0]?.score ?? 0;
  const found = best === 0 || fragment === undefined ? 1 : (fragments[fragment]?.score ?? 0) / best;
  return (scores[at] ?? 0) + Math.max(before, after) + FRAGMENT_SHARE * found;
}

function selectSentences(ranked: readonly { readonly candidate: Candidate; readonly score: number }[]): Candidate[] {
  const minimum = MIN_SCORE_SHARE * (ranked[0]?.score ?? 0);
  const chosen: Candidate[] = [];
  let length = 0;
  for (const { candidate, score } of ranked) {
    if (chosen.length === MAX_SENTENCES || score < minimum) break;
    // Code adds nothing to an answer that begins with prose.
    if (candidate.isCode && chosen[0]?.isCode === false) continue;
    if (chosen.some(({ text }) => text.includes(candidate.text) || candidate.text.includes(text))) continue;
    if (chosen.length > 0 && length + candidate.text.length > MAX_LENGTH) break;
    chosen.push(candidate);
    length += candidate.text.length;
  }
  return chosen;
}

function joinInReadingOrder(chosen: readonly Candidate[]): string {
  const ordered = chosen.toSorted((one, other) => one.fragment - other.fragment || one.position - other.position);
  return ordered.map((candidate, at) => chooseSeparator(ordered[at - 1], candidate) + candidate.text).join('');
}

function chooseSeparator(previous: Candidate | undefined, next: Candidate): string {
  if (previous === undefined) return '';
  if (previous.fragment !== next.fragment) return '\n\n';
  return previous.isLine || next.isLine ? '\n' : ' ';
}

const SYMBOLS = /[{}[\]<>()$\\=_"'`/#@&%~^;]/g;
/** Maximum share of symbols among the characters of prose, which can contain quotations, links and brackets. */
const MOST_IN_PROSE = 0.12;

/** Returns whether a text is probably a command, a program or data instead of prose. Decides by the share of symbols. */
export function isLikelyCode(text: string): boolean {
  const letters = text.replaceAll(/\s/g, '').length;
  return letters > 0 && (text.match(SYMBOLS)?.length ?? 0) / letters > MOST_IN_PROSE;
}
