/** A failed call with its item. */
export interface Failure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/** Limits the calls. */
export interface Bounds {
  /** Number of calls at the same time. */
  readonly limit: number;
  /** Ends the loop after the calls in progress. */
  readonly signal?: AbortSignal;
}

/**
 * Calls a function for each item, with a limited number of concurrent calls. Returns the failures, in the order of the items.
 */
export async function forEachBounded<Item>(
  items: readonly Item[],
  { limit, signal }: Bounds,
  run: (item: Item) => Promise<unknown>,
): Promise<readonly Failure<Item>[]> {
  const failures = new Map<number, Failure<Item>>();
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (signal?.aborted === true) return;
      try {
        await run(item);
      } catch (error) {
        failures.set(index, { item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return [...failures.entries()].sort(([first], [second]) => first - second).map(([, failure]) => failure);
}
