import type { TermOccurrences } from './term-counter.js';
import { computeTermWeight } from './term-weight.js';

/**
 * Converts BM25 scores that a store normalized by the mean length of its fragments to scores normalized by
 * `REFERENCE_TERMS`. Each score is multiplied by the sum of the term weights with the new normalization, divided by the
 * sum with the old normalization.
 *
 * Both sums omit the document frequencies, which hardly change the ratio. The mean length of the found fragments
 * approximates the mean length of all fragments, which the store does not return.
 *
 * @param found the score of each fragment, and the occurrences of the query's terms in it
 * @param query weighted terms of the query
 * @returns the converted scores, in the order of `found`
 */
export function normalizeByReferenceLength(
  found: readonly { readonly score: number; readonly occurrences: TermOccurrences }[],
  query: ReadonlyMap<string, number>,
): readonly number[] {
  const mean = found.reduce((sum, { occurrences }) => sum + occurrences.terms, 0) / Math.max(1, found.length);
  return found.map(({ score, occurrences }) => {
    const before = sumTermWeights(occurrences, query, mean);
    return before === 0 ? score : (score * sumTermWeights(occurrences, query)) / before;
  });
}

function sumTermWeights(
  { counts, terms }: TermOccurrences,
  query: ReadonlyMap<string, number>,
  referenceTerms?: number,
): number {
  let sum = 0;
  for (const [term, count] of counts) sum += (query.get(term) ?? 0) * computeTermWeight(count, terms, referenceTerms);
  return sum;
}
