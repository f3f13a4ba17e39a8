/** Defines how items are processed concurrently, and how their results are accepted one by one in order. */
export interface OrderedWork<Item, Result> {
  /** Returns the next item; undefined when there is none now. Called again after each accepted result, which may add items. */
  readonly next: () => Item | undefined;
  /** Maximum number of items that are processed concurrently. */
  readonly concurrency: number;
  readonly process: (item: Item, signal: AbortSignal) => Promise<Result>;
  readonly accept: (result: Result, item: Item) => Promise<void>;
}

/**
 * Processes items concurrently and accepts their results in the order of the items, whatever the duration of each item.
 *
 * @throws what `process` or `accept` throws, after all work in progress has ended
 */
export async function processInOrder<Item, Result>(
  { next, concurrency, process, accept }: OrderedWork<Item, Result>,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const combined = AbortSignal.any([signal, stop.signal]);
  const inProgress: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  try {
    for (;;) {
      signal.throwIfAborted();
      while (inProgress.length < concurrency) {
        const item = next();
        if (item === undefined) break;
        const result = process(item, combined);
        // Prevents an unhandled rejection if it fails before it is awaited.
        result.catch(() => undefined);
        inProgress.push({ item, result });
      }
      const first = inProgress.shift();
      if (first === undefined) return;
      await accept(await first.result, first.item);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(inProgress.map(({ result }) => result));
  }
}
