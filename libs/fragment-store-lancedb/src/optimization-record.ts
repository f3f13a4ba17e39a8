import { Mutex } from './mutex.js';

/** Writes and clears the record which states that a table has to be optimized. */
export interface RecordedState {
  readonly recordUnoptimized: () => Promise<void>;
  readonly recordOptimized: () => Promise<void>;
}

/**
 * Keeps a record of whether a table has rows that are not indexed, or old versions, which can contain deleted rows. The
 * record is written before the first commit after an optimization, so that it exists even if the process is killed
 * afterwards.
 */
export class OptimizationRecord {
  readonly #state: RecordedState;
  /** Serializes the changes of the record. */
  readonly #changing = new Mutex();
  #isRecorded = false;
  #begun = 0;
  #ended = 0;

  constructor(state: RecordedState) {
    this.#state = state;
  }

  async runCommit<T>(commit: () => Promise<T>): Promise<T> {
    this.#begun += 1;
    try {
      await this.#recordUnoptimized();
      return await commit();
    } finally {
      this.#ended += 1;
    }
  }

  /**
   * Runs an optimization. Then clears the record, unless the table still has old versions, or a commit was in progress
   * during the optimization, because the rows of such a commit may not be indexed.
   *
   * @param optimize returns true if the table still has old versions
   * @returns the result of `optimize`
   */
  async runOptimization(optimize: () => Promise<boolean>): Promise<boolean> {
    const begun = this.#begun;
    const isIdle = this.#ended === begun;
    const hasOldVersions = await optimize();
    if (!hasOldVersions && isIdle && this.#begun === begun) {
      this.#isRecorded = false;
      await this.#changing.runExclusively(this.#state.recordOptimized);
    }
    return hasOldVersions;
  }

  async #recordUnoptimized(): Promise<void> {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    try {
      await this.#changing.runExclusively(this.#state.recordUnoptimized);
    } catch (error) {
      this.#isRecorded = false;
      throw error;
    }
  }
}
