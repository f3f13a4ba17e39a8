/** Number of results, from the best, that `computeNdcg10` takes into account. */
const NDCG_DEPTH = 10;

/** For each result of a ranking, best first: the positions of those relevant references that the result matches. */
export type MatchedReferences = readonly (readonly number[])[];

/**
 * Returns the share of the relevant references that at least one result matches.
 *
 * @param references number of relevant references, at least 1
 */
export function computeRecall(matches: MatchedReferences, references: number): number {
  return new Set(matches.flat()).size / references;
}

/** Returns the inverse rank of the first result that matches a reference, or 0 if none does. */
export function computeReciprocalRank(matches: MatchedReferences): number {
  const first = matches.findIndex((numbers) => numbers.length > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

/**
 * Returns nDCG of the first ten results. The gain of a result is the number of references that it matches and no result
 * before it matches. The ideal order matches one reference per result. The value is 1 at most, even if a result matches
 * several references.
 */
export function computeNdcg10(matches: MatchedReferences, references: number): number {
  const seen = new Set<number>();
  const gains = matches.slice(0, NDCG_DEPTH).map((numbers) => {
    const before = seen.size;
    for (const number of numbers) seen.add(number);
    return seen.size - before;
  });
  const ideal = Array.from({ length: Math.min(references, NDCG_DEPTH) }, () => 1);
  return Math.min(1, sumDiscountedGains(gains) / sumDiscountedGains(ideal));
}

/**
 * Returns the sum of gains, each divided by log2(rank + 1), like the measure `ndcg_cut` of the program trec_eval.
 * Source: Järvelin and Kekäläinen 2002.
 */
function sumDiscountedGains(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}
