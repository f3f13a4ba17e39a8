/** Holds the number of indexed documents of each tenant at one point in time. */
export interface Sample {
  readonly atMs: number;
  readonly indexed: readonly number[];
}

/**
 * Returns Jain's fairness index of shares: 1 for equal shares, 1/n if one of n tenants gets everything.
 *
 * Source: Jain, Chiu and Hawe, "A Quantitative Measure of Fairness", 1984.
 */
export function computeJainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
}

/**
 * Returns the lowest Jain's index of all time windows of length `windowMs`. The index of a window compares only the
 * tenants that still had unindexed documents at the end of the window.
 *
 * @param sizes total number of documents of each tenant
 * @returns undefined if no window has two such tenants
 */
export function findLowestJainIndex(
  samples: readonly Sample[],
  sizes: readonly number[],
  windowMs: number,
): number | undefined {
  const indexes = samples.flatMap((begin) => {
    const end = samples.find(({ atMs }) => atMs >= begin.atMs + windowMs);
    if (end === undefined) return [];
    const shares = sizes.flatMap((size, tenant) =>
      (end.indexed[tenant] ?? 0) < size ? [(end.indexed[tenant] ?? 0) - (begin.indexed[tenant] ?? 0)] : [],
    );
    return shares.length < 2 ? [] : [computeJainIndex(shares)];
  });
  return indexes.length === 0 ? undefined : Math.min(...indexes);
}
