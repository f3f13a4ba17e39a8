/** A failed call with its item. */
export interface Failure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/**
 * Calls a function for each item, with a limited number of concurrent calls. Returns the failures, in the order of the items.
 */
export async function forEachBounded<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<unknown>,
): Promise<readonly Failure<Item>[]> {
  const failures = new Map<number, Failure<Item>>();
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
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
