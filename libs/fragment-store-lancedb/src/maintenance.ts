export interface MaintenancePolicy {
  /** After so many commits the table is tidied up, however busy it is. */
  readonly commits: number;
  /** After so many written rows, too. */
  readonly rows: number;
  /** And when nothing was written for so long, in milliseconds. */
  readonly idleMs: number;
  /** Then it rests for at least so many times as long as the tidying took. */
  readonly restFactor: number;
  /** From so many rows on vectors are searched through an index. Below, comparing with each of them takes no longer. */
  readonly vectorIndexFrom: number;
}

export const DEFAULT_MAINTENANCE: MaintenancePolicy = {
  commits: 64,
  rows: 20_000,
  idleMs: 2_000,
  restFactor: 5,
  vectorIndexFrom: 50_000,
};

/**
 * Decides when a table is tidied up: after much writing, and in the pause after any. One run at a time. A run that fails
 * fails nothing else: it is reported, and what it left is done by the next.
 */
export class Maintenance {
  readonly #tidyUp: () => Promise<void>;
  readonly #policy: MaintenancePolicy;
  readonly #report: (error: unknown) => void;
  #commits = 0;
  #rows = 0;
  #notBefore = 0;
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
    if (this.#stopped || this.#running !== undefined || this.#commits === 0) return;
    const due = this.#commits >= this.#policy.commits || this.#rows >= this.#policy.rows;
    const wait = Math.max(due ? 0 : this.#policy.idleMs, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, wait).unref();
  }

  async #run(): Promise<void> {
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
