import { computeTermWeight } from './term-weight.js';

/** Describes the occurrences of a query's terms in a fragment. */
interface TermOccurrences {
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms in the fragment. */
  readonly terms: number;
}

/**
 * Converts BM25 scores that compare the length of fragments to their mean, to scores that compare it to
 * `REFERENCE_TERMS`. It multiplies each score by the ratio of the sums of the term weights.
 *
 * The ratio hardly depends on the document frequencies, which both sums omit. The mean of the found fragments stands in
 * for the mean of all of them, which the store does not return.
 *
 * @param found the score of each fragment, and its terms separated by spaces
 * @param query weighted terms of the query
 * @returns the converted scores, in the order of `found`
 */
export function convertToReferenceLength(
  found: readonly { readonly score: number; readonly terms: string }[],
  query: ReadonlyMap<string, number>,
): readonly number[] {
  const occurrences = found.map(({ terms }) => countOccurrences(terms.split(' '), query));
  const mean = occurrences.reduce((sum, { terms }) => sum + terms, 0) / Math.max(1, found.length);
  return found.map(({ score }, at) => {
    const inFragment = occurrences[at];
    const before = inFragment === undefined ? 0 : sumTermWeights(inFragment, query, mean);
    return inFragment === undefined || before === 0 ? score : (score * sumTermWeights(inFragment, query)) / before;
  });
}

function countOccurrences(terms: readonly string[], query: ReadonlyMap<string, number>): TermOccurrences {
  const counts = new Map<string, number>();
  for (const term of terms) if (query.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, terms: terms.length };
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
