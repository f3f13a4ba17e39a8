interface Waiting<W> {
  readonly write: W;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: writes that come while another is being committed wait, and are then committed together, in the order
 * they came. One at a time reaches the table.
 */
export class WriteQueue<W> {
  readonly #commit: (writes: readonly W[]) => Promise<void>;
  readonly #joins: (batch: readonly W[], next: W) => boolean;
  readonly #waiting: Waiting<W>[] = [];
  #draining: Promise<void> | undefined;

  /**
   * @param commit makes all of the writes happen, or throws for all of them
   * @param joins whether a write may be committed together with those already in the batch
   */
  constructor(commit: (writes: readonly W[]) => Promise<void>, joins: (batch: readonly W[], next: W) => boolean) {
    this.#commit = commit;
    this.#joins = joins;
  }

  /** Resolves when the write is committed. */
  add(write: W): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // What is written in the same turn of the event loop is to find its place in the first batch.
    await Promise.resolve();
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch()) await this.#settle(batch);
    this.#draining = undefined;
  }

  async #settle(batch: readonly Waiting<W>[]): Promise<void> {
    try {
      await this.#commit(batch.map(({ write }) => write));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #takeBatch(): Waiting<W>[] {
    const batch: W[] = [];
    while (batch.length < this.#waiting.length) {
      const next = this.#waiting[batch.length];
      if (next === undefined || (batch.length > 0 && !this.#joins(batch, next.write))) break;
      batch.push(next.write);
    }
    return this.#waiting.splice(0, batch.length);
  }
}
