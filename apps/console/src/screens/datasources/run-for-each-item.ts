/** The item of a failed call of `runForEachItem`, and the error. */
export interface Failure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/** The options of `runForEachItem`. */
export interface Bounds {
  /** Maximum number of concurrent calls. */
  readonly limit: number;
  /** After this signal is aborted, no further call starts. Calls in progress are not interrupted. */
  readonly signal?: AbortSignal;
}

/**
 * Calls a function for each item, with a limited number of concurrent calls. Returns the failed calls, in the order of
 * their items.
 */
export async function runForEachItem<Item>(
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
