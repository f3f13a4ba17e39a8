import type { ScoredFragment } from '@quarry/fragment-store';
import { extractTerms } from '@quarry/text-analysis';
import { computePhraseMatches } from './phrases.js';
import { extractQuestionWords } from './question-words.js';
import { computeWordShare } from './section-match.js';

/** Minimum share of the focus's words that a fragment must contain, whatever their order. */
const SUFFICIENT_COVERAGE = 0.7;
/** Minimum share of the focus's words that a fragment with phrases of the focus must contain. */
const MIN_PHRASE_COVERAGE = 0.25;
const MIN_PHRASE_MATCH = 0.15;

/**
 * Selects the fragments of named documents that contain enough of a focus, which is what a question asks for: most of
 * its words, or some of them in phrases. An empty result causes an abstention.
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
