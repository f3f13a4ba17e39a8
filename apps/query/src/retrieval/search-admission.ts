import type { SearchMeasurements } from '../measurements.js';

/** How many searches the store is given. */
export interface AdmissionLimits {
  /** Searches that run at once. */
  readonly running: number;
  /** Searches that wait for one of these to end. */
  readonly waiting: number;
  /** The longest wait. */
  readonly waitMs: number;
}

/** Too many searches run and wait. */
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
 * Bounds the searches that run at once. The others wait for a bounded time in a bounded queue per organization; the queues
 * are served by turns, and the longest one is cut when there is no room. A search whose caller has left counts until the store
 * has really ended it: LanceDB's queries cannot be cancelled.
 */
export class SearchAdmission {
  readonly #limits: AdmissionLimits;
  readonly #measurements: SearchMeasurements;
  /** In the order of their turns. No queue is empty. */
  readonly #queues = new Map<string, Waiter[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: AdmissionLimits, measurements: SearchMeasurements) {
    this.#limits = limits;
    this.#measurements = measurements;
    measurements.observe(() => ({ running: this.#running, waiting: this.#waiting }));
  }

  /**
   * Starts queries as soon as there is room, and returns their results. The room is free again when every query has settled.
   *
   * @throws SearchOverloaded, the signal's reason, and what a query throws
   */
  async run<Result>(
    organizationId: string,
    start: () => readonly Promise<Result>[],
    signal: AbortSignal,
  ): Promise<readonly Result[]> {
    signal.throwIfAborted();
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#wait(organizationId, signal);
    let queries: readonly Promise<Result>[] = [];
    try {
      queries = start();
      return await Promise.all(queries);
    } finally {
      void Promise.allSettled(queries).then(() => {
        this.#release();
      });
    }
  }

  async #wait(organizationId: string, signal: AbortSignal): Promise<void> {
    this.#makeRoomFor(organizationId);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiter: Waiter = {
      start: () => {
        resolve(undefined);
      },
      refuse: reject,
    };
    this.#enqueue(organizationId, waiter);
    const leave = (error: Error): void => {
      if (this.#dequeue(organizationId, waiter)) waiter.refuse(error);
    };
    const timer = setTimeout(() => {
      leave(this.#overloaded(`none of ${this.#limits.running} ended within ${this.#limits.waitMs} ms`));
    }, this.#limits.waitMs);
    const abort = (): void => {
      leave(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
    };
    signal.addEventListener('abort', abort);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Refuses the newest search of the organization with the most waiting ones, which may be this one. */
  #makeRoomFor(organizationId: string): void {
    if (this.#waiting < this.#limits.waiting) return;
    const longest = [...this.#queues].reduce<readonly [string, readonly Waiter[]] | undefined>(
      (most, queue) => (most === undefined || queue[1].length > most[1].length ? queue : most),
      undefined,
    );
    const own = this.#queues.get(organizationId)?.length ?? 0;
    const error = this.#overloaded(`${this.#limits.waiting} others wait`);
    const victim = longest === undefined || longest[1].length <= own + 1 ? undefined : longest[1].at(-1);
    if (longest === undefined || victim === undefined) throw error;
    this.#dequeue(longest[0], victim);
    victim.refuse(error);
  }

  #enqueue(organizationId: string, waiter: Waiter): void {
    this.#queues.set(organizationId, [...(this.#queues.get(organizationId) ?? []), waiter]);
    this.#waiting += 1;
  }

  /** @returns false when the waiter does not wait any more */
  #dequeue(organizationId: string, waiter: Waiter): boolean {
    const queue = this.#queues.get(organizationId) ?? [];
    if (!queue.includes(waiter)) return false;
    const rest = queue.filter((other) => other !== waiter);
    if (rest.length === 0) this.#queues.delete(organizationId);
    else this.#queues.set(organizationId, rest);
    this.#waiting -= 1;
    return true;
  }

  /** Passes the room on to the oldest search of the organization whose turn it is, which goes to the end of the turns. */
  #release(): void {
    const [next] = this.#queues;
    const waiter = next?.[1][0];
    if (next === undefined || waiter === undefined) {
      this.#running -= 1;
      return;
    }
    const [organizationId] = next;
    this.#dequeue(organizationId, waiter);
    const rest = this.#queues.get(organizationId);
    if (rest !== undefined) {
      this.#queues.delete(organizationId);
      this.#queues.set(organizationId, rest);
    }
    waiter.start();
  }

  #overloaded(reason: string): SearchOverloaded {
    this.#measurements.refused();
    return new SearchOverloaded(reason, Math.ceil(this.#limits.waitMs / 1_000));
  }
}
