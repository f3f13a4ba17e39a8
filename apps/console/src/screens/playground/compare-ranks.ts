/** Compares the rank of a search result on one side of the playground with its rank on the other side. */
export type RankChange =
  | { readonly kind: 'same' }
  /** The result is missing on the other side. */
  | { readonly kind: 'only' }
  /** The result is `by` ranks nearer to the top than on the other side; if `by` is negative, it is further down. */
  | { readonly kind: 'moved'; readonly by: number; readonly otherRank: number };

/**
 * Compares the ranks of the results on one side of the playground with those on the other side.
 *
 * @param side ids of the results, in order of their rank
 * @returns the rank change of each result of `side`, in the same order
 */
export function compareRanks(side: readonly string[], other: readonly string[]): readonly RankChange[] {
  const ranks = new Map(other.map((id, at) => [id, at]));
  return side.map((id, at) => {
    const otherAt = ranks.get(id);
    if (otherAt === undefined) return { kind: 'only' };
    return otherAt === at ? { kind: 'same' } : { kind: 'moved', by: otherAt - at, otherRank: otherAt + 1 };
  });
}
