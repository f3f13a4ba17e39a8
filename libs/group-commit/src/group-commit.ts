import { setTimeout as wait } from 'node:timers/promises';

interface Waiting<W> {
  readonly write: W;
  /** When it came, by `performance.now()`. */
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Asked for one write after another: may it be committed together with all those that were admitted before it? */
export type Admission<W> = (next: W) => boolean;

export interface GroupCommitSettings<W> {
  /** Makes all of the writes happen, or throws for all of them. */
  readonly commit: (writes: readonly W[]) => Promise<void>;
  /** Who decides, for one batch, what else it takes. */
  readonly newBatch: () => Admission<W>;
  /** How long a write waits for company where several write at once, in milliseconds. */
  readonly waitMs: number;
}

/** Who wrote at the same time as another so short a time ago is likely to do so again. */
const IN_COMPANY_MS = 500;

/**
 * Group commit: writes that come while another is being committed wait, and are then committed together, in the order
 * they came. One commit at a time is under way. A commit costs much the same for one write as for ten; so where several write at
 * once, each one also waits a little for company. Whoever writes alone never waits.
 */
export class GroupCommit<W> {
  readonly #settings: GroupCommitSettings<W>;
  readonly #waiting: Waiting<W>[] = [];
  #draining: Promise<void> | undefined;
  #companyUntil = 0;

  constructor(settings: GroupCommitSettings<W>) {
    this.#settings = settings;
  }

  /** Resolves when the write is committed. */
  add(write: W): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, since: performance.now(), resolve, reject });
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
    let isRefused = false;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      // What may not go with others gains nothing by waiting.
      const left = isRefused ? 0 : this.#timeLeft(first.since);
      if (left > 0) await wait(left);
      const batch = this.#takeBatch();
      isRefused = this.#waiting.length > 0;
      await this.#settle(batch);
      if (batch.length > 1 || this.#waiting.length > 0) this.#companyUntil = performance.now() + IN_COMPANY_MS;
    }
    this.#draining = undefined;
  }

  /** For company to come, in milliseconds. */
  #timeLeft(since: number): number {
    const now = performance.now();
    return now < this.#companyUntil ? since + this.#settings.waitMs - now : 0;
  }

  async #settle(batch: readonly Waiting<W>[]): Promise<void> {
    try {
      await this.#settings.commit(batch.map(({ write }) => write));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #takeBatch(): Waiting<W>[] {
    const admits = this.#settings.newBatch();
    const end = this.#waiting.findIndex(({ write }, at) => !admits(write) && at > 0);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}
