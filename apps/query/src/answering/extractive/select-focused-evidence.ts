import type { ScoredFragment } from '@quarry/fragment-store';
import { extractTerms } from '@quarry/text-analysis';
import { computePhraseMatches } from './phrases.js';
import { extractQuestionWords } from './question-words.js';
import { computeWordShare } from './section-match.js';

/**
 * Minimum share of the words of the focus that a fragment without matching phrases must contain. The focus is what the
 * question asks about the documents that it names.
 */
const SUFFICIENT_COVERAGE = 0.7;
/** Minimum share of the words of the focus that a fragment must contain if it also contains phrases of the focus. */
const MIN_PHRASE_COVERAGE = 0.25;
const MIN_PHRASE_MATCH = 0.15;

/**
 * Selects the fragments of named documents that contain most words of the focus, or some of them in phrases. If none is
 * selected, the answer is an abstention.
 */
export function selectFocusedEvidence(fragments: readonly ScoredFragment[], focus: string): readonly ScoredFragment[] {
  const words = extractQuestionWords(focus);
  const texts = fragments.map(({ context, text }) => `${context}\n${text}`);
  const phrases = computePhraseMatches(texts, focus);
  return fragments.filter((_, at) => {
    const terms = new Set(extractTerms(texts[at] ?? ''));
    const coverage = computeWordShare(words, terms);
    if (coverage >= SUFFICIENT_COVERAGE) return true;
    return coverage >= MIN_PHRASE_COVERAGE && (phrases[at] ?? 0) >= MIN_PHRASE_MATCH;
  });
}
