import type { ScoredFragment } from '@quarry/fragment-store';
import type { SearchText } from '../../retrieval/search-texts.js';
import { createBoilerplateDetector } from './detect-boilerplate.js';
import { DEFINITION_MATCH } from './definitions.js';
import { computePhraseMatches } from './phrases.js';
import { computeRelevance } from './relevance.js';
import type { FocusedSources } from './search-named-documents.js';
import type { Candidate } from './sentence-candidates.js';

/**
 * Factor for the match between the question and a definition. A definition answers better than a section whose heading
 * matches equally well.
 */
const DEFINITION_FACTOR = 1.4;
/** Weight of a fragment's search score in the scores of its sentences. */
const FRAGMENT_SHARE = 0.7;
/** Weight of the relevance of the previous or next sentence in the score of a sentence. */
const NEIGHBOUR_SHARE = 0.3;
/** Weight of the relevance of a heading, question or introduction in the score of the sentence after it. */
const LEAD_IN_SHARE = 0.8;
/** Weight in a sentence's score of the match between the question and the heading or subject of the sentence. */
const TITLE_SHARE = 1;
/** Factor for the relevance of code, whose words are names that rarely answer a question. */
const CODE_SHARE = 0.5;
/** Factor for the relevance of a line without an end mark, such as a signature or an entry of a table of contents. */
const LINE_SHARE = 0.7;
/** Weight of matching phrases in the relevance of a sentence, if the question names documents. */
const PHRASE_SHARE = 0.5;
/** Weight of `Candidate.subjectShare` in the score of a table row, if the question names documents. */
const ROW_SHARE = 0.6;
/** Factor for the score of a sentence that several other documents contain, too, if the question names documents. */
const BOILERPLATE_SHARE = 0.5;

/**
 * Computes the relevance of each candidate, without regard to the sentences before and after it. Lowers the relevance
 * of code and of lines without an end mark.
 *
 * @param texts the texts of the question, or only `focus` if the question names documents
 */
export function computeOwnRelevance(
  candidates: readonly Candidate[],
  texts: readonly SearchText[],
  titleTerms: ReadonlySet<string>,
  focus: string | undefined,
): number[] {
  const sentences = candidates.map(({ text }) => text);
  const relevances = computeRelevance(sentences, texts, titleTerms);
  const phrases = focus === undefined ? [] : computePhraseMatches(sentences, focus);
  return relevances.map(
    (relevance, at) => (relevance + PHRASE_SHARE * (phrases[at] ?? 0)) * computeRelevanceFactor(candidates[at]),
  );
}

function computeRelevanceFactor(candidate: Candidate | undefined): number {
  if (candidate?.isCode === true) return CODE_SHARE;
  return candidate?.kind === 'prose' && candidate.isLine && !candidate.isLeadIn ? LINE_SHARE : 1;
}

/**
 * Computes the score of each sentence from its own relevance and that of the sentences before and after it. The match
 * of its heading or subject and the search score of its fragment also count.
 */
export function computeScores(
  candidates: readonly Candidate[],
  relevances: readonly number[],
  fragments: readonly ScoredFragment[],
): number[] {
  return candidates.map((candidate, at) => {
    const { fragment, title, subjectMatch } = candidate;
    const computeNeighbourShare = (place: number, part: number): number =>
      candidates[place]?.fragment === fragment ? part * (relevances[place] ?? 0) : 0;
    const before = computeNeighbourShare(
      at - 1,
      candidates[at - 1]?.isLeadIn === true ? LEAD_IN_SHARE : NEIGHBOUR_SHARE,
    );
    const after = candidates[at + 1]?.isLeadIn === true ? 0 : computeNeighbourShare(at + 1, NEIGHBOUR_SHARE);
    const best = fragments[0]?.score ?? 0;
    const found = best === 0 ? 1 : (fragments[fragment]?.score ?? 0) / best;
    const subject = subjectMatch >= DEFINITION_MATCH ? DEFINITION_FACTOR * subjectMatch : subjectMatch;
    return (
      (relevances[at] ?? 0) + Math.max(before, after) + FRAGMENT_SHARE * found + TITLE_SHARE * Math.max(title, subject)
    );
  });
}

/**
 * Adjusts the scores for a question that names documents. Raises the scores of table rows about the question, and
 * lowers those of boilerplate.
 */
export function adjustFocusedScores(
  candidates: readonly Candidate[],
  scores: readonly number[],
  { fragments, found }: FocusedSources,
): number[] {
  const isBoilerplate = createBoilerplateDetector(found);
  return candidates.map(({ text, fragment, subjectShare }, at) => {
    const source = fragments[fragment];
    const factor = source !== undefined && isBoilerplate(text, source) ? BOILERPLATE_SHARE : 1;
    return factor * (scores[at] ?? 0) + ROW_SHARE * subjectShare;
  });
}
