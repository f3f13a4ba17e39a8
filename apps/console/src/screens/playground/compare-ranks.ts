/** The difference between the ranks of a result on this side and on the other side of the comparison. */
export type RankChange =
  | { readonly kind: 'same' }
  /** The result is only on this side. */
  | { readonly kind: 'only' }
  /** The result is `by` ranks higher than on the other side, or lower if `by` is negative. */
  | { readonly kind: 'moved'; readonly by: number; readonly otherRank: number };

/**
 * Compares the ranks of the results on one side with those on the other side.
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
