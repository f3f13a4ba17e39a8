import type { ScoredFragment } from '@quarry/fragment-store';
import type { SearchText } from '../retrieval/search-texts.js';
import { hasBalancedBrackets, isLikelyCode } from './code.js';
import { computeSubjectMatch, DEFINITION_MATCH } from './definitions.js';
import { selectEvidence } from './select-evidence.js';
import { computeRelevance } from './relevance.js';
import { createSubjectMatcher, createTitleMatcher, type TitleMatcher } from './section-match.js';
import { type Sentence, splitIntoSentences } from './sentences.js';

/** Holds an answer that consists of sentences of the fragments. */
export interface ExtractiveAnswer {
  readonly text: string;
  /** The text with a citation mark after the sentences of each fragment, such as `[2]` for the second fragment. */
  readonly markedText: string;
  /** Zero-based indexes of the fragments that contain the sentences of the answer. */
  readonly cited: ReadonlySet<number>;
}

/** Maximum number of sentences, tuned on XQuAD together with the maximum length. */
const MAX_SENTENCES = 4;
const MAX_LENGTH = 700;
/** Minimum score of a further sentence of the answer, as a share of the best sentence's score. */
const MIN_SCORE_SHARE = 0.7;
/** Minimum score share for a sentence of another fragment, or below another heading of the same fragment. */
const MIN_SCORE_SHARE_ELSEWHERE = 0.85;
/**
 * Minimum score share within a section whose heading matches the question. The answer then consists of the start of the
 * section.
 */
const MIN_SCORE_SHARE_IN_SECTION = 0.4;
const SECTION_MATCH = 0.75;
/** Factor for the match of a definition, which answers better than a section whose heading matches equally well. */
const DEFINITION_FACTOR = 1.4;
/** Weight of a fragment's own score in the score of its sentences. */
const FRAGMENT_SHARE = 0.7;
/** Weight of the previous or next sentence in the score of a sentence. */
const NEIGHBOUR_SHARE = 0.3;
/** Weight of a question or introduction in the score of the sentence after it. */
const LEAD_IN_SHARE = 0.8;
/** Weight of the match of a heading above a sentence, or of the sentence's subject, in the score of the sentence. */
const TITLE_SHARE = 1;
/** Factor by which the weight of a heading decreases with each further sentence of its section. */
const SECTION_DECAY = 0.9;
/** Factor for the score of code, whose words are names that rarely answer a question. */
const CODE_SHARE = 0.5;
/** Factor for the score of a line without an end mark, such as a heading, a signature or an entry of a table of contents. */
const LINE_SHARE = 0.7;
/** Maximum length of code below prose. Longer code is data rather than a command. */
const MAX_CODE_LENGTH = 300;

const STARTS_INSIDE = /^[\p{Ll},;)]/u;
const TITLE_SEPARATOR = ' › ';

interface Candidate extends Sentence {
  readonly isCode: boolean;
  /** Marks the rest of a sentence that begins in another fragment or on another page. */
  readonly isIncomplete: boolean;
  readonly fragment: number;
  readonly position: number;
  /** Number of headings above the sentence in its fragment. */
  readonly section: number;
  /** Match of the nearest heading above with the question, in [0, 1]. Decreases with each sentence of the section. */
  readonly title: number;
  /** Match of the subject of a table row or definition with the question, in [0, 1]. */
  readonly subjectMatch: number;
}

interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

/**
 * Returns the sentences of the fragments that answer the question best, in reading order.
 *
 * @param fragments best first, with scores in [0, 1]
 * @returns undefined if the fragments do not contain enough of the question
 */
export function extractAnswer(
  fragments: readonly ScoredFragment[],
  texts: readonly SearchText[],
): ExtractiveAnswer | undefined {
  const evidence = selectEvidence(fragments, texts);
  if (evidence.fragments.length === 0) return undefined;
  const question = texts[0]?.text ?? '';
  const matchers = { matchTitle: createTitleMatcher(question), matchSubject: createSubjectMatcher(question) };
  const candidates = evidence.fragments.flatMap((fragment) =>
    listCandidates(fragment, fragments.indexOf(fragment), matchers),
  );
  const unweighted = computeRelevance(
    candidates.map(({ text }) => text),
    texts,
    evidence.titleTerms,
  );
  const scores = unweighted.map((score, at) => score * computeFormFactor(candidates[at]));
  const ranked = candidates
    .map((candidate, at) => ({ candidate, score: computeScore(candidates, at, scores, fragments) }))
    .sort((one, other) => other.score - one.score);
  const answers = ranked.filter(({ candidate }) => !candidate.isLeadIn && !candidate.isIncomplete);
  const chosen = selectSentences(answers.length > 0 ? answers : ranked, fragments);
  if (chosen.length === 0) return undefined;
  const passages = joinInReadingOrder(chosen);
  return {
    text: passages.map(({ text }) => text).join('\n\n'),
    markedText: passages.map(addCitationMark).join('\n\n'),
    cited: new Set(passages.map(({ fragment }) => fragment)),
  };
}

interface Matchers {
  readonly matchTitle: TitleMatcher;
  readonly matchSubject: TitleMatcher;
}

function listCandidates(source: ScoredFragment, fragment: number, { matchTitle, matchSubject }: Matchers): Candidate[] {
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
      ...{ fragment, position, section, title, subjectMatch: computeSubjectMatch(sentence, matchSubject) },
    };
    title *= SECTION_DECAY;
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

function computeFormFactor(candidate: Candidate | undefined): number {
  if (candidate?.isCode === true) return CODE_SHARE;
  return candidate?.kind === 'prose' && candidate.isLine && !candidate.isLeadIn ? LINE_SHARE : 1;
}

/**
 * Computes the score of a sentence from its own relevance, the relevance of its neighbours, its heading, and the score
 * of its fragment.
 *
 * @param at index of the sentence
 */
function computeScore(
  candidates: readonly Candidate[],
  at: number,
  scores: readonly number[],
  fragments: readonly ScoredFragment[],
): number {
  const { fragment, title = 0, subjectMatch = 0 } = candidates[at] ?? {};
  const computeNeighbourShare = (place: number, part: number): number =>
    candidates[place]?.fragment === fragment ? part * (scores[place] ?? 0) : 0;
  const before = computeNeighbourShare(at - 1, candidates[at - 1]?.isLeadIn === true ? LEAD_IN_SHARE : NEIGHBOUR_SHARE);
  const after = candidates[at + 1]?.isLeadIn === true ? 0 : computeNeighbourShare(at + 1, NEIGHBOUR_SHARE);
  const best = fragments[0]?.score ?? 0;
  const found = best === 0 || fragment === undefined ? 1 : (fragments[fragment]?.score ?? 0) / best;
  const subject = subjectMatch >= DEFINITION_MATCH ? DEFINITION_FACTOR * subjectMatch : subjectMatch;
  return (scores[at] ?? 0) + Math.max(before, after) + FRAGMENT_SHARE * found + TITLE_SHARE * Math.max(title, subject);
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
    if (chosen.some(({ text }) => text.includes(candidate.text) || candidate.text.includes(text))) continue;
    if (chosen.length > 0 && length + candidate.text.length > MAX_LENGTH) continue;
    chosen.push(candidate);
    length += candidate.text.length;
  }
  return chosen;
}

/** Returns the minimum score of a further sentence, as a share of the best sentence's score. */
function getMinScoreShare(candidate: Candidate, best: Candidate, fragments: readonly ScoredFragment[]): number {
  const isSameDocument = fragments[candidate.fragment]?.documentKey === fragments[best.fragment]?.documentKey;
  const isAnsweredBySection = best.kind !== 'row' && best.title >= SECTION_MATCH;
  const isAnswered = isAnsweredBySection || best.subjectMatch >= DEFINITION_MATCH;
  if (!isSameDocument) return isAnswered ? Infinity : MIN_SCORE_SHARE_ELSEWHERE;
  if (candidate.fragment !== best.fragment || candidate.section !== best.section) return MIN_SCORE_SHARE_ELSEWHERE;
  return isAnsweredBySection ? MIN_SCORE_SHARE_IN_SECTION : MIN_SCORE_SHARE;
}

/**
 * Returns whether code would add nothing to an answer. This applies to a part of longer code. If the best sentence is
 * prose, it also applies to code that is long or from another fragment.
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
function joinInReadingOrder(chosen: readonly Candidate[]): readonly AnswerPassage[] {
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

/** Adds the mark of a passage on its last line, or below code, whose lines must not change. */
function addCitationMark({ text, fragment, endsWithCode }: AnswerPassage): string {
  return `${text}${endsWithCode ? '\n\n' : ' '}[${fragment + 1}]`;
}
