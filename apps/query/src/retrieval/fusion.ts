/** What one search found, best first. */
export interface RankedList<Item extends { readonly id: string; readonly score: number }> {
  readonly items: readonly Item[];
  /** How many the search was asked for. */
  readonly limit: number;
  /** The list's say, at least 0. Only its proportion to the other lists' matters. */
  readonly weight: number;
  /** How near the best item is, in [0, 1], from its score. */
  readonly closeness: (best: number) => number;
}

export interface Fused<Item> {
  readonly item: Item;
  /** In [0, 1]. */
  readonly score: number;
}

/**
 * Merges lists whose scores are of different kinds: each list's scores become values in [0, 1], and an item's score is the
 * weighted mean of its values (a convex combination: Bruch et al. 2023, "An Analysis of Fusion Functions for Hybrid Retrieval").
 *
 * The best item of a list has the value `closeness`; the others fall from there to 0 at the end of the list, in proportion to
 * their scores. Where a list is shorter than what was asked for, what it leaves out is not a little further away but
 * nothing at all, so its end stays above 0. An item that a list does not have has the value 0 there.
 *
 * So one list alone keeps its order, an item that no list puts below another is not below it in the end, and a list of
 * weight 0 has no part.
 */
export function fuse<Item extends { readonly id: string; readonly score: number }>(
  lists: readonly RankedList<Item>[],
): Fused<Item>[] {
  const counted = lists.filter(({ weight, items }) => weight > 0 && items.length > 0);
  const total = lists.reduce((sum, { weight }) => sum + weight, 0);
  const fused = new Map<string, { readonly item: Item; score: number }>();
  for (const list of counted) {
    const value = valueIn(list);
    for (const item of list.items) {
      const entry = fused.get(item.id) ?? { item, score: 0 };
      entry.score += (list.weight / total) * value(item.score);
      fused.set(item.id, entry);
    }
  }
  return [...fused.values()].map(({ item, score }) => ({ item, score: Math.min(1, score) })).sort(byScore);
}

function valueIn({ items, limit, closeness }: RankedList<{ id: string; score: number }>): (score: number) => number {
  const best = items[0]?.score ?? 0;
  const last = items.at(-1)?.score ?? 0;
  const floor = Math.min(last, last * (items.length / limit));
  const span = best - floor;
  const most = closeness(best);
  return (score) => (span > 0 ? (most * (score - floor)) / span : most);
}

/** Best first. Equal scores keep the order of the lists: sorting is stable. */
export function byScore(one: Fused<unknown>, other: Fused<unknown>): number {
  return other.score - one.score;
}
