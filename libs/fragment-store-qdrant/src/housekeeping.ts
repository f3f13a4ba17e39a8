import { parseDocumentRecord } from './document-record.js';
import type { Filter } from './filters.js';
import { settleCommits, type SettledCommit, type SettlingContext } from './settle-commits.js';

/** Maximum number of documents that are settled, that is, cleaned up after a write, in one batch. */
const BATCH = 200;

/**
 * Milliseconds for which the record of a removed document is retained. This is much longer than the duration of any run
 * that is active at the removal.
 */
const REMOVAL_RETENTION_MS = 24 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;

export interface HousekeepingOptions extends SettlingContext {
  readonly graceMs: number;
  /** Receives the error of each failed clean-up. */
  readonly report: (error: unknown) => void;
}

/**
 * Settles documents some time after they were written: deletes unused fragments, and marks the records as settled.
 * Until a document is settled, searches are correct but need a second request. After a crash, the next store that
 * writes settles the documents.
 */
export class Housekeeping {
  readonly #context: SettlingContext;
  readonly #graceMs: number;
  readonly #report: (error: unknown) => void;
  readonly #waiting: { readonly commit: SettledCommit; readonly from: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #purgeTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor({ graceMs, report, ...context }: HousekeepingOptions) {
    this.#context = context;
    this.#graceMs = graceMs;
    this.#report = report;
  }

  /**
   * Schedules the settling (clean-up) of a commit. Call it only after the record of the document contains the commit.
   */
  scheduleSettlingOfCommit(commit: SettledCommit): void {
    this.#waiting.push({ commit, from: performance.now() + this.#graceMs });
    this.#scheduleNextRun();
  }

  /**
   * Schedules the settling of the commits that stores left unsettled when they ended. Also starts the regular purge of
   * the records of removed documents.
   */
  async scheduleUnsettledCommits(): Promise<void> {
    await this.#deleteOldRemovalRecords();
    this.#purgeTimer = setInterval(() => {
      this.#deleteOldRemovalRecords().catch(this.#report);
    }, PURGE_EVERY_MS).unref();
    const { connection, names } = this.#context;
    const { documents } = names;
    const filter: Filter = { must: [{ key: 'settled', match: { value: false } }] };
    for (let offset: PageOffset = undefined; ;) {
      const page = await connection.sendRequest(`find unsettled documents in ${documents}`, (client) =>
        client.scroll(documents, {
          filter,
          limit: BATCH,
          with_payload: true,
          ...(offset === undefined ? {} : { offset }),
        }),
      );
      for (const { id, payload } of page.points)
        this.scheduleSettlingOfCommit({ documentId: String(id), ...parseDocumentRecord(payload ?? {}) });
      if (typeof page.next_page_offset !== 'string') return;
      offset = page.next_page_offset;
    }
  }

  /** Waits for the active clean-up. No clean-up starts afterwards. */
  async stopRuns(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#purgeTimer);
    await this.#running;
  }

  #scheduleNextRun(): void {
    const [first] = this.#waiting;
    if (this.#stopped || this.#running !== undefined || this.#timer !== undefined || first === undefined) return;
    const wait = Math.max(0, first.from - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#settleAndPurge();
    }, wait).unref();
  }

  async #settleAndPurge(): Promise<void> {
    const now = performance.now();
    const early = this.#waiting.findIndex(({ from }) => from > now);
    const batch = this.#waiting.splice(0, Math.min(BATCH, early === -1 ? BATCH : early)).map(({ commit }) => commit);
    try {
      await settleCommits(this.#context, batch);
    } catch (error) {
      this.#report(error);
      for (const commit of batch) this.#waiting.push({ commit, from: performance.now() + this.#graceMs });
    }
    this.#running = undefined;
    this.#scheduleNextRun();
  }

  async #deleteOldRemovalRecords(): Promise<void> {
    const { connection, names } = this.#context;
    const { documents } = names;
    const filter: Filter = { must: [{ key: 'removed_at', range: { lt: Date.now() - REMOVAL_RETENTION_MS } }] };
    await connection.sendRequest(`purge removals from ${documents}`, (client) =>
      client.delete(documents, { filter, wait: true }),
    );
  }
}

type PageOffset = string | undefined;
