/** Holds the results of one search, best first. */
export interface RankedList<Item extends { readonly id: string; readonly score: number }> {
  readonly items: readonly Item[];
  /** Maximum number of results that the search was asked for. A list with fewer items contains every match. */
  readonly limit: number;
  /** Weight of the list, at least 0. Only its ratio to the weights of the other fused lists matters. */
  readonly weight: number;
  /** Converts the best score of the list to a value in [0, 1] that is comparable between lists. */
  readonly normalizeBest: (best: number) => number;
  /** Returns the factor in [0, 1] by which the normalized score of an item is multiplied. Absent: 1 for all items. */
  readonly weighItem?: ((item: Item) => number) | undefined;
}

/** Holds an item with the score that results from merging the lists. */
export interface Fused<Item> {
  readonly item: Item;
  /** Weighted mean of the item's normalized scores in all lists, in [0, 1]. */
  readonly score: number;
}

/**
 * Merges lists with different kinds of scores. Normalizes the scores of each list to [0, 1], and computes the weighted
 * mean per item (a convex combination: Bruch et al. 2023, "An Analysis of Fusion Functions for Hybrid Retrieval").
 *
 * - The best item of a list has the normalized score `normalizeBest(score)`. The normalized scores of the other items
 *   decrease linearly with their scores. The last item gets 0 if the list is as long as its limit. A shorter list
 *   contains every match, so its last item stays above 0.
 * - An item that is missing in a list has the normalized score 0 there.
 * - `weighItem` multiplies the normalized score of each item of its list by a factor of at most 1.
 *
 * If there is only one list, it keeps its order, unless it has `weighItem`. If item A scores at least as high as item B
 * in every list, A is not ranked below B. A list of weight 0 has no effect.
 */
export function fuseLists<Item extends { readonly id: string; readonly score: number }>(
  lists: readonly RankedList<Item>[],
): Fused<Item>[] {
  const counted = lists.filter(({ weight, items }) => weight > 0 && items.length > 0);
  const total = lists.reduce((sum, { weight }) => sum + weight, 0);
  const fused = new Map<string, { readonly item: Item; score: number }>();
  for (const list of counted) {
    const normalize = createScoreNormalizer(list);
    for (const item of list.items) {
      const entry = fused.get(item.id) ?? { item, score: 0 };
      entry.score += (list.weight / total) * normalize(item.score) * (list.weighItem?.(item) ?? 1);
      fused.set(item.id, entry);
    }
  }
  return [...fused.values()].map(({ item, score }) => ({ item, score: Math.min(1, score) })).sort(compareByScore);
}

function createScoreNormalizer({
  items,
  limit,
  normalizeBest,
}: Pick<RankedList<{ id: string; score: number }>, 'items' | 'limit' | 'normalizeBest'>): (score: number) => number {
  const best = items[0]?.score ?? 0;
  const last = items.at(-1)?.score ?? 0;
  const floor = Math.min(last, last * (items.length / limit));
  const span = best - floor;
  const maximum = normalizeBest(best);
  return (score) => (span > 0 ? (maximum * (score - floor)) / span : maximum);
}

/** Compares items by descending score. Sorting is stable, so items with equal scores keep their previous order. */
export function compareByScore(one: Fused<unknown>, other: Fused<unknown>): number {
  return other.score - one.score;
}
