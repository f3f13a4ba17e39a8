export interface MaintenancePolicy {
  /** After so many commits the table is tidied up, however busy it is. */
  readonly commits: number;
  /** After so many written rows, too. */
  readonly rows: number;
  /** And when nothing was written for so long, in milliseconds. */
  readonly idleMs: number;
  /** Then it rests for at least so many times as long as the tidying took. */
  readonly restFactor: number;
  /**
   * Older states of the table are kept for so long, in milliseconds, for the searches in other processes that still read them. When
   * nothing was written for so long it is tidied up once more, which deletes what was still kept then.
   */
  readonly keptMs: number;
  /** From so many rows on vectors are searched through an index. Below, comparing with each of them takes no longer. */
  readonly vectorIndexFrom: number;
}

export const DEFAULT_MAINTENANCE: MaintenancePolicy = {
  commits: 64,
  rows: 20_000,
  idleMs: 2_000,
  restFactor: 5,
  keptMs: 2 * 60_000,
  vectorIndexFrom: 50_000,
};

/**
 * Decides when a table is tidied up: after much writing, in the pause after any, and once more long after it. One run at a time. A run that fails
 * fails nothing else: it is reported, and what it left is done by the next.
 */
export class Maintenance {
  readonly #tidyUp: () => Promise<void>;
  readonly #policy: MaintenancePolicy;
  readonly #report: (error: unknown) => void;
  #commits = 0;
  #rows = 0;
  #notBefore = 0;
  /** Whether something may still be kept from before the latest run. */
  #keeps = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(tidyUp: () => Promise<void>, policy: MaintenancePolicy, report: (error: unknown) => void) {
    this.#tidyUp = tidyUp;
    this.#policy = policy;
    this.#report = report;
  }

  noteCommit(rows: number): void {
    this.#commits += 1;
    this.#rows += rows;
    this.#plan();
  }

  /** Resolves when what runs has ended. Nothing starts after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#running !== undefined) return;
    if (this.#commits === 0 && !this.#keeps) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, this.#waitMs()).unref();
  }

  #waitMs(): number {
    if (this.#commits === 0) return this.#policy.keptMs;
    const due = this.#commits >= this.#policy.commits || this.#rows >= this.#policy.rows;
    return Math.max(due ? 0 : this.#policy.idleMs, this.#notBefore - performance.now());
  }

  async #run(): Promise<void> {
    this.#keeps = this.#commits > 0;
    this.#commits = 0;
    this.#rows = 0;
    const started = performance.now();
    try {
      await this.#tidyUp();
    } catch (error) {
      this.#report(error);
    }
    const ended = performance.now();
    this.#notBefore = ended + (ended - started) * this.#policy.restFactor;
    this.#running = undefined;
    this.#plan();
  }
}
