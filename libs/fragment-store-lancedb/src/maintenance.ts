export interface MaintenancePolicy {
  /** Number of commits after which a table is optimized, even while writes continue. */
  readonly commits: number;
  /** Number of written rows after which a table is optimized, even while writes continue. */
  readonly rows: number;
  /** Time without writes after which a table is optimized, in milliseconds. */
  readonly idleMs: number;
  /** Minimum pause after an optimization, as a multiple of the duration of the optimization. */
  readonly pauseFactor: number;
  /**
   * Time in milliseconds for which old versions of a table are retained, because searches in other processes may still
   * read them. After this time without writes, the table is optimized again to delete old versions.
   */
  readonly retentionMs: number;
  /**
   * Minimum number of rows of a table whose vectors are indexed. With fewer rows, exact comparisons are fast enough.
   */
  readonly vectorIndexFrom: number;
  /** Number of optimizations after which a connection is replaced, because its session keeps deleted files open. */
  readonly renewAfter: number;
  /** Maximum number of tables that are open for searches. */
  readonly searchedTables: number;
  /** Maximum number of idle tables that stay open for writing. */
  readonly idleWriters: number;
}

export const DEFAULT_MAINTENANCE: MaintenancePolicy = {
  commits: 64,
  rows: 20_000,
  idleMs: 2_000,
  pauseFactor: 5,
  retentionMs: 2 * 60_000,
  vectorIndexFrom: 10_000,
  renewAfter: 20,
  searchedTables: 1_000,
  idleWriters: 64,
};

/**
 * Schedules the optimization of a table: after many writes, in a pause between writes, and again after the retention
 * time while the table has old versions. Only one optimization (run) is active at a time. A failed run is reported, and
 * the next run also does the work of the failed run.
 */
export class Maintenance {
  readonly #optimizeTable: () => Promise<boolean>;
  readonly #policy: MaintenancePolicy;
  readonly #report: (error: unknown) => void;
  #commits = 0;
  #rows = 0;
  #notBefore = 0;
  /** True if old versions of the table may still exist. */
  #hasOldVersions = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param optimizeTable returns true if the table still has old versions */
  constructor(optimizeTable: () => Promise<boolean>, policy: MaintenancePolicy, report: (error: unknown) => void) {
    this.#optimizeTable = optimizeTable;
    this.#policy = policy;
    this.#report = report;
  }

  recordCommit(rows: number): void {
    this.#commits += 1;
    this.#rows += rows;
    this.#scheduleRun();
  }

  /**
   * Waits for the active optimization, and optimizes the table once more if there were commits since the latest
   * optimization. No optimization starts afterwards.
   *
   * @returns true if old versions of the table may still exist
   */
  async finishRuns(): Promise<boolean> {
    await this.stopRuns();
    if (this.#commits > 0) await this.#optimizeOnce();
    return this.#hasOldVersions;
  }

  /** Optimizes the table once more after the active run, or at once if no run is active. */
  async runNow(): Promise<void> {
    await this.#running;
    clearTimeout(this.#timer);
    this.#running ??= this.#optimizeOnce();
    await this.#running;
  }

  /** Waits for the active optimization. No optimization starts afterwards. */
  async stopRuns(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #scheduleRun(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#running !== undefined) return;
    if (this.#commits === 0 && !this.#hasOldVersions) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#optimizeOnce();
    }, this.#computeWaitMs()).unref();
  }

  #computeWaitMs(): number {
    if (this.#commits === 0) return this.#policy.retentionMs;
    const due = this.#commits >= this.#policy.commits || this.#rows >= this.#policy.rows;
    return Math.max(due ? 0 : this.#policy.idleMs, this.#notBefore - performance.now());
  }

  async #optimizeOnce(): Promise<void> {
    this.#hasOldVersions ||= this.#commits > 0;
    this.#commits = 0;
    this.#rows = 0;
    const started = performance.now();
    try {
      this.#hasOldVersions = await this.#optimizeTable();
    } catch (error) {
      this.#report(error);
    }
    const ended = performance.now();
    this.#notBefore = ended + (ended - started) * this.#policy.pauseFactor;
    this.#running = undefined;
    this.#scheduleRun();
  }
}
