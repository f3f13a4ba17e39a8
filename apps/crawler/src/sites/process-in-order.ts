/** Stores an accepted result. */
export type StoreResult = () => Promise<void>;

/**
 * Defines work in three steps: items are processed concurrently, their results are accepted one by one in the order of
 * the items, and accepted results are stored concurrently.
 */
export interface OrderedWork<Item, Result> {
  /** Returns the next item, or undefined. Called again after each accepted result, because accepting may add items. */
  readonly next: () => Item | undefined;
  /** Maximum number of items that are processed concurrently, and of results that are stored concurrently. */
  readonly concurrency: number;
  readonly process: (item: Item, signal: AbortSignal) => Promise<Result>;
  /** Accepts a result. @returns the function that stores the result; undefined if there is nothing to store */
  readonly accept: (result: Result, item: Item) => Promise<StoreResult | undefined>;
}

/**
 * Processes items concurrently, accepts their results in the order of the items, whatever the duration of each item,
 * and stores the accepted results concurrently. Resolves when all results are stored.
 *
 * @throws the first error of a step, after all work in progress has ended; the signal's reason. Results that are being
 * stored at that time are stored to the end
 */
export async function processInOrder<Item, Result>(
  { next, concurrency, process, accept }: OrderedWork<Item, Result>,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const combined = AbortSignal.any([signal, stop.signal]);
  const inProgress: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  const storage = new ConcurrentStorage(concurrency);
  try {
    for (;;) {
      signal.throwIfAborted();
      while (inProgress.length < concurrency) {
        const item = next();
        if (item === undefined) break;
        const result = process(item, combined);
        // Prevents an unhandled rejection if the processing of the item fails before its result is awaited.
        result.catch(() => undefined);
        inProgress.push({ item, result });
      }
      const first = inProgress.shift();
      if (first === undefined) break;
      const storeResult = await accept(await first.result, first.item);
      if (storeResult !== undefined) await storage.startStoring(storeResult);
    }
    await storage.waitUntilStored();
  } finally {
    stop.abort();
    await Promise.allSettled([...inProgress.map(({ result }) => result), storage.waitUntilStored()]);
  }
}

/** Stores a limited number of results concurrently. Stores no further result after an error. */
class ConcurrentStorage {
  readonly #concurrency: number;
  readonly #active = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Starts to store a result as soon as the limit allows it. @throws the error of a result that could not be stored */
  async startStoring(storeResult: StoreResult): Promise<void> {
    while (this.#active.size >= this.#concurrency) await Promise.race(this.#active);
    this.#throwFailure();
    const storing = storeResult()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#active.delete(storing));
    this.#active.add(storing);
  }

  /** Resolves when no result is being stored. @throws the error of a result that could not be stored */
  async waitUntilStored(): Promise<void> {
    await Promise.all(this.#active);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
