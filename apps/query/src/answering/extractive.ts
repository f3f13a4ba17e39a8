import type { ScoredFragment } from '@quarry/fragment-store';
import type { SearchText } from '../retrieval/search-texts.js';
import { looksLikeCode } from './looks-like-code.js';
import { relevanceOf } from './relevance.js';
import { sentencesOf, type Sentence } from './sentences.js';

export interface ExtractiveAnswer {
  readonly text: string;
  /** The places among the fragments of those whose sentences these are, from 0. */
  readonly cited: ReadonlySet<number>;
}

/**
 * Set on XQuAD, each question with the best of 240 paragraphs by BM25: the gold answer stands in the sentences for 91 % of
 * the English questions (German 83 %, Chinese 91 %), with 390 characters in the mean.
 */
const MAX_SENTENCES = 3;
const MAX_LENGTH = 600;
/** A further sentence is given when it scores at least this share of the best. */
const WORTH_SAYING = 0.7;
const FRAGMENT_SHARE = 0.7;
const NEIGHBOUR_SHARE = 0.3;
const LEAD_IN_SHARE = 0.8;
/** The words of code are names: having those of the question, it rarely says what is asked. */
const CODE_SHARE = 0.5;
/** Sentences that cover less of the question say nothing about it… */
const LEAST_COVERAGE = 0.2;
/** …unless their fragment is so near that it must be, by its meaning. */
const NEAR = 0.5;

interface Candidate extends Sentence {
  readonly isCode: boolean;
  readonly fragment: number;
  readonly position: number;
}

/**
 * The sentences of the fragments that answer best, in reading order.
 *
 * @param fragments best first, with scores in [0, 1]
 * @returns undefined where no sentence says anything about it
 */
export function answerFromSentences(
  fragments: readonly ScoredFragment[],
  texts: readonly SearchText[],
): ExtractiveAnswer | undefined {
  const candidates = fragments.flatMap(({ text }, fragment) =>
    sentencesOf(text).map((sentence, position): Candidate => ({
      ...sentence,
      ...{ isCode: looksLikeCode(sentence.text), fragment, position },
    })),
  );
  const { scores: plain, coverage } = relevanceOf(
    candidates.map(({ text }) => text),
    texts,
  );
  const scores = plain.map((score, at) => (candidates[at]?.isCode === true ? CODE_SHARE * score : score));
  if (coverage < LEAST_COVERAGE && (fragments[0]?.score ?? 0) < NEAR) return undefined;
  const ranked = candidates
    .map((candidate, at) => ({ candidate, score: scoreOf(candidates, at, scores, fragments) }))
    .sort((one, other) => other.score - one.score);
  const chosen = choose(ranked.some(({ candidate }) => !candidate.leadsIn) ? ranked.filter(isAnswer) : ranked);
  if (chosen.length === 0) return undefined;
  return { text: inReadingOrder(chosen), cited: new Set(chosen.map(({ fragment }) => fragment)) };
}

function isAnswer({ candidate }: { readonly candidate: Candidate }): boolean {
  return !candidate.leadsIn;
}

/** What the sentence says itself, what its neighbours say, and how well its fragment was found. */
function scoreOf(
  candidates: readonly Candidate[],
  at: number,
  scores: readonly number[],
  fragments: readonly ScoredFragment[],
): number {
  const fragment = candidates[at]?.fragment;
  const share = (place: number, part: number): number =>
    candidates[place]?.fragment === fragment ? part * (scores[place] ?? 0) : 0;
  const before = share(at - 1, candidates[at - 1]?.leadsIn === true ? LEAD_IN_SHARE : NEIGHBOUR_SHARE);
  const after = candidates[at + 1]?.leadsIn === true ? 0 : share(at + 1, NEIGHBOUR_SHARE);
  const best = fragments[0]?.score ?? 0;
  const found = best === 0 || fragment === undefined ? 1 : (fragments[fragment]?.score ?? 0) / best;
  return (scores[at] ?? 0) + Math.max(before, after) + FRAGMENT_SHARE * found;
}

function choose(ranked: readonly { readonly candidate: Candidate; readonly score: number }[]): Candidate[] {
  const least = WORTH_SAYING * (ranked[0]?.score ?? 0);
  const chosen: Candidate[] = [];
  let length = 0;
  for (const { candidate, score } of ranked) {
    if (chosen.length === MAX_SENTENCES || score < least) break;
    // Beside prose that answers, code is noise.
    if (candidate.isCode && chosen[0]?.isCode === false) continue;
    if (chosen.some(({ text }) => text.includes(candidate.text) || candidate.text.includes(text))) continue;
    if (chosen.length > 0 && length + candidate.text.length > MAX_LENGTH) break;
    chosen.push(candidate);
    length += candidate.text.length;
  }
  return chosen;
}

function inReadingOrder(chosen: readonly Candidate[]): string {
  const ordered = chosen.toSorted((one, other) => one.fragment - other.fragment || one.position - other.position);
  return ordered.map((candidate, at) => separator(ordered[at - 1], candidate) + candidate.text).join('');
}

function separator(previous: Candidate | undefined, next: Candidate): string {
  if (previous === undefined) return '';
  if (previous.fragment !== next.fragment) return '\n\n';
  return previous.isLine || next.isLine ? '\n' : ' ';
}
