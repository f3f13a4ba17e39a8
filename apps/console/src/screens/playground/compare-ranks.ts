/**
 * The comparison of the rank of a search result on one side of the playground with its rank on the other side. Each
 * side searches with its own settings.
 */
export type RankChange =
  | { readonly kind: 'same' }
  /** The other side of the playground does not have this result. */
  | { readonly kind: 'only' }
  /**
   * The result is `by` ranks nearer to the top than on the other side, where its rank is `otherRank`, counted from 1.
   * If `by` is negative, the result is further down.
   */
  | { readonly kind: 'moved'; readonly by: number; readonly otherRank: number };

/** The ids of the results on one side of the playground, in order of their rank, keyed by the id of the datastore. */
export type RankedResults = ReadonlyMap<string, readonly string[]>;

/**
 * Compares the ranks of the results on one side of the playground with those on the other side. Ranks are counted
 * separately in each datastore.
 *
 * @returns the rank changes of the results of `side`, in the same order, keyed by the id of the datastore
 */
export function compareRanks(side: RankedResults, other: RankedResults): ReadonlyMap<string, readonly RankChange[]> {
  return new Map(
    [...side].map(([datastoreId, ids]) => [datastoreId, compareRanksInDatastore(ids, other.get(datastoreId) ?? [])]),
  );
}

function compareRanksInDatastore(ids: readonly string[], otherIds: readonly string[]): readonly RankChange[] {
  const ranks = new Map(otherIds.map((id, at) => [id, at]));
  return ids.map((id, at) => {
    const otherAt = ranks.get(id);
    if (otherAt === undefined) return { kind: 'only' };
    return otherAt === at ? { kind: 'same' } : { kind: 'moved', by: otherAt - at, otherRank: otherAt + 1 };
  });
}
