import type { SearchMeasurements } from '../measurements.js';

/** Holds the limits for concurrent and queued searches. */
export interface AdmissionLimits {
  /** Maximum number of running searches. */
  readonly running: number;
  /** Maximum number of searches that wait in the queues of all organizations together. */
  readonly waiting: number;
  /** Maximum time for which a search waits in its queue, in milliseconds. Then it fails with `SearchOverloaded`. */
  readonly waitMs: number;
}

/** Reports that a search was refused because too many searches are running and queued. */
export class SearchOverloaded extends Error {
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds: number) {
    super(`the search was not started: ${reason}`);
    this.name = 'SearchOverloaded';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Limits concurrent searches. Searches above the limit wait for a limited time in a queue per organization, and the
 * queues are served round-robin. If a search arrives while the queues are full, the newest search of the longest queue
 * fails.
 *
 * An abandoned search counts as running until its queries have settled, because LanceDB cannot cancel queries.
 */
export class SearchAdmission {
  readonly #limits: AdmissionLimits;
  readonly #measurements: SearchMeasurements;
  /** Queues of waiting searches, keyed by organization id, in the order in which they are served. No queue is empty. */
  readonly #queues = new Map<string, Waiter[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: AdmissionLimits, measurements: SearchMeasurements) {
    this.#limits = limits;
    this.#measurements = measurements;
    measurements.observe(() => ({ running: this.#running, waiting: this.#waiting }));
  }

  /**
   * Calls `start` as soon as fewer searches run than the limit, and returns the results of the queries that it starts.
   * The search counts as running until every query has settled.
   *
   * @throws SearchOverloaded, the signal's reason, and any error of a query
   */
  async runSearch<Result>(
    organizationId: string,
    start: () => readonly Promise<Result>[],
    signal: AbortSignal,
  ): Promise<readonly Result[]> {
    signal.throwIfAborted();
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#waitForSlot(organizationId, signal);
    let queries: readonly Promise<Result>[] = [];
    try {
      queries = start();
      return await Promise.all(queries);
    } finally {
      void Promise.allSettled(queries).then(() => {
        this.#releaseSlot();
      });
    }
  }

  async #waitForSlot(organizationId: string, signal: AbortSignal): Promise<void> {
    this.#shortenLongestQueue(organizationId);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiter: Waiter = {
      start: () => {
        resolve(undefined);
      },
      refuse: reject,
    };
    this.#enqueueSearch(organizationId, waiter);
    const refuseWaiting = (error: Error): void => {
      if (this.#dequeueSearch(organizationId, waiter)) waiter.refuse(error);
    };
    const timer = setTimeout(() => {
      refuseWaiting(
        this.#createOverloaded(
          `none of the ${this.#limits.running} running searches ended within ${this.#limits.waitMs} ms`,
        ),
      );
    }, this.#limits.waitMs);
    const abortSearch = (): void => {
      refuseWaiting(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
    };
    signal.addEventListener('abort', abortSearch);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abortSearch);
    }
  }

  /**
   * If the queues are full, refuses the newest search of the longest queue.
   *
   * @throws SearchOverloaded if this is the arriving search itself
   */
  #shortenLongestQueue(organizationId: string): void {
    if (this.#waiting < this.#limits.waiting) return;
    const longest = [...this.#queues].reduce<readonly [string, readonly Waiter[]] | undefined>(
      (most, queue) => (most === undefined || queue[1].length > most[1].length ? queue : most),
      undefined,
    );
    const own = this.#queues.get(organizationId)?.length ?? 0;
    const error = this.#createOverloaded(`${this.#limits.waiting} searches are already queued`);
    const victim = longest === undefined || longest[1].length <= own + 1 ? undefined : longest[1].at(-1);
    if (longest === undefined || victim === undefined) throw error;
    this.#dequeueSearch(longest[0], victim);
    victim.refuse(error);
  }

  #enqueueSearch(organizationId: string, waiter: Waiter): void {
    this.#queues.set(organizationId, [...(this.#queues.get(organizationId) ?? []), waiter]);
    this.#waiting += 1;
  }

  /** Removes a search from its queue. Returns false if it was no longer queued. */
  #dequeueSearch(organizationId: string, waiter: Waiter): boolean {
    const queue = this.#queues.get(organizationId) ?? [];
    if (!queue.includes(waiter)) return false;
    const rest = queue.filter((other) => other !== waiter);
    if (rest.length === 0) this.#queues.delete(organizationId);
    else this.#queues.set(organizationId, rest);
    this.#waiting -= 1;
    return true;
  }

  /**
   * Releases the slot of a search that has ended. Starts the oldest queued search of the next organization, and moves
   * this organization to the end of the order. If no search is queued, decreases the number of running searches.
   */
  #releaseSlot(): void {
    const [next] = this.#queues;
    const waiter = next?.[1][0];
    if (next === undefined || waiter === undefined) {
      this.#running -= 1;
      return;
    }
    const [organizationId] = next;
    this.#dequeueSearch(organizationId, waiter);
    const rest = this.#queues.get(organizationId);
    if (rest !== undefined) {
      this.#queues.delete(organizationId);
      this.#queues.set(organizationId, rest);
    }
    waiter.start();
  }

  #createOverloaded(reason: string): SearchOverloaded {
    this.#measurements.countRefused();
    return new SearchOverloaded(reason, Math.ceil(this.#limits.waitMs / 1_000));
  }
}
