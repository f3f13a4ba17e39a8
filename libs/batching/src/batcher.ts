interface WaitingWrite<W> {
  readonly write: W;
  /** Time at which the write was added, in milliseconds of `performance.now()`. */
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Returns true if the next write joins the current batch. Called for each waiting write, in order, until it returns
 * false. The first write of a batch joins in any case.
 */
export type Admission<W> = (next: W) => boolean;

export interface BatcherSettings<W> {
  /** Commits all writes together. If it throws, none of the writes is committed. */
  readonly commit: (writes: readonly W[]) => Promise<void>;
  /** Called once per batch. @returns the function that decides which writes join the batch */
  readonly createAdmission: () => Admission<W>;
  /**
   * Maximum time in milliseconds for which a batch waits for further writes (lingers). A batch lingers only if writes
   * were concurrent shortly before.
   */
  readonly lingerMs: number;
  /** Number of waiting writes at which a batch stops lingering. Default: no limit. */
  readonly enoughWrites?: number;
}

/**
 * Time after the last concurrent writes in which batches linger, in milliseconds. Further concurrent writes are likely
 * in this time.
 */
const LINGERS_AFTER_MS = 500;

/**
 * Batches writes (group commit). Writes that are added during a commit are committed together by the next commit, in
 * order. One commit runs at a time. A commit costs about the same for one write as for ten. So after concurrent writes,
 * a batch waits for further writes, for at most `lingerMs` or until `enoughWrites` writes are waiting. Writes that come
 * one at a time never wait.
 */
export class Batcher<W> {
  readonly #settings: BatcherSettings<W>;
  readonly #waiting: WaitingWrite<W>[] = [];
  #draining: Promise<void> | undefined;
  #endLinger = (): void => undefined;
  #lingersUntil = 0;

  constructor(settings: BatcherSettings<W>) {
    this.#settings = settings;
  }

  /** Resolves when the write is committed. Rejects with the error of the commit if the commit fails. */
  addWrite(write: W): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, since: performance.now(), resolve, reject });
      if (this.#hasEnoughWrites()) this.#endLinger();
      this.#draining ??= this.#commitWaitingWrites();
    });
  }

  /** Resolves when the commits of all added writes have ended, successfully or not. */
  async waitUntilIdle(): Promise<void> {
    await this.#draining;
  }

  async #commitWaitingWrites(): Promise<void> {
    // Writes of the same turn of the event loop join the first batch.
    await Promise.resolve();
    let isFull = false;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      // If the last batch left writes waiting, the next batch does not linger.
      const left = isFull ? 0 : this.#computeLingerLeft(first.since);
      if (left > 0 && !this.#hasEnoughWrites()) await this.#waitForMoreWrites(left);
      const batch = this.#dequeueBatch();
      isFull = this.#waiting.length > 0;
      await this.#commitBatch(batch);
      if (batch.length > 1 || this.#waiting.length > 0) this.#lingersUntil = performance.now() + LINGERS_AFTER_MS;
    }
    this.#draining = undefined;
  }

  /**
   * Returns the remaining linger time of a batch, in milliseconds. `since` is the time at which the first write of the
   * batch was added.
   */
  #computeLingerLeft(since: number): number {
    const now = performance.now();
    return now < this.#lingersUntil ? since + this.#settings.lingerMs - now : 0;
  }

  #hasEnoughWrites(): boolean {
    return this.#waiting.length >= (this.#settings.enoughWrites ?? Infinity);
  }

  /** Resolves after `ms` milliseconds, or as soon as `enoughWrites` writes wait. */
  async #waitForMoreWrites(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, ms, undefined);
    this.#endLinger = () => {
      resolve(undefined);
    };
    await promise;
    clearTimeout(timer);
  }

  async #commitBatch(batch: readonly WaitingWrite<W>[]): Promise<void> {
    try {
      await this.#settings.commit(batch.map(({ write }) => write));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #dequeueBatch(): WaitingWrite<W>[] {
    const admits = this.#settings.createAdmission();
    const end = this.#waiting.findIndex(({ write }, at) => !admits(write) && at > 0);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}
