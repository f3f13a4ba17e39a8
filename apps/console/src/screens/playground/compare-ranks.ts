/** The change of a result's rank relative to the other side of the comparison. */
export type RankChange =
  | { readonly kind: 'same' }
  /** The result is only on this side. */
  | { readonly kind: 'only' }
  /** The result is higher (positive) or lower (negative) than on the other side. */
  | { readonly kind: 'moved'; readonly by: number; readonly otherRank: number };

/**
 * Compares the ranks of the results on one side with those on the other side.
 *
 * @param side ids of the results, in order of their rank
 * @returns the change of each id of `side`, in the same order
 */
export function compareRanks(side: readonly string[], other: readonly string[]): readonly RankChange[] {
  const ranks = new Map(other.map((id, at) => [id, at]));
  return side.map((id, at) => {
    const otherAt = ranks.get(id);
    if (otherAt === undefined) return { kind: 'only' };
    return otherAt === at ? { kind: 'same' } : { kind: 'moved', by: otherAt - at, otherRank: otherAt + 1 };
  });
}
