import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { parseDocumentRecord } from './document-record.js';
import type { ShardAssignment } from './shard-assignment.js';
import { buildEqualsCondition, buildInCondition, type Filter } from './filters.js';

/** Maximum number of documents that are settled, that is, cleaned up after a write, in one batch. */
const BATCH = 200;

/**
 * Milliseconds for which the record of a removed document is retained. This is much longer than the duration of any run
 * that is active at the removal.
 */
const REMOVAL_RETENTION_MS = 24 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;

/**
 * Describes the current commit of a document. When the commit is settled, the fragments that it replaced are deleted.
 */
export interface Commit {
  readonly organizationId: string;
  readonly documentId: string;
  readonly commit: string;
  /** Generation of the commit. Fragments of the document with an older generation and another commit are deleted. */
  readonly generation: number;
  readonly replaced: readonly string[];
  /**
   * Indicates that a newer run confirmed the commit. Fragments of older generations, which a killed writer may have
   * left, are then deleted even if `replaced` is empty.
   */
  readonly isConfirmed?: boolean;
}

export interface HousekeepingOptions {
  readonly connection: QdrantConnection;
  readonly names: CollectionNames;
  readonly assignShard: ShardAssignment;
  readonly graceMs: number;
  /** Receives the error of each failed clean-up. */
  readonly report: (error: unknown) => void;
}

/**
 * Settles documents some time after they were written: deletes replaced fragments, and marks the records as settled.
 * Until a document is settled, searches are correct but need a second request. After a crash, the next store that
 * writes settles the documents.
 */
export class Housekeeping {
  readonly #connection: QdrantConnection;
  readonly #names: CollectionNames;
  readonly #assignShard: ShardAssignment;
  readonly #graceMs: number;
  readonly #report: (error: unknown) => void;
  readonly #waiting: { readonly commit: Commit; readonly from: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #purgeTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor({ connection, names, assignShard, graceMs, report }: HousekeepingOptions) {
    this.#connection = connection;
    this.#names = names;
    this.#assignShard = assignShard;
    this.#graceMs = graceMs;
    this.#report = report;
  }

  /**
   * Schedules the settling (clean-up) of a commit. Call it only after the record of the document contains the commit.
   */
  scheduleSettlingOfCommit(commit: Commit): void {
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
    const { documents } = this.#names;
    const filter: Filter = { must: [{ key: 'settled', match: { value: false } }] };
    for (let offset: PageOffset = undefined; ;) {
      const page = await this.#connection.sendRequest(`find unsettled documents in ${documents}`, (client) =>
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
      await this.#settleCommits(batch);
    } catch (error) {
      this.#report(error);
      for (const commit of batch) this.#waiting.push({ commit, from: performance.now() + this.#graceMs });
    }
    this.#running = undefined;
    this.#scheduleNextRun();
  }

  async #deleteOldRemovalRecords(): Promise<void> {
    const { documents } = this.#names;
    const filter: Filter = { must: [{ key: 'removed_at', range: { lt: Date.now() - REMOVAL_RETENTION_MS } }] };
    await this.#connection.sendRequest(`purge removals from ${documents}`, (client) =>
      client.delete(documents, { filter, wait: true }),
    );
  }

  async #settleCommits(batch: readonly Commit[]): Promise<void> {
    const { fragments, documents } = this.#names;
    const replacing = batch.filter(({ replaced, isConfirmed }) => replaced.length > 0 || isConfirmed === true);
    if (replacing.length > 0) {
      const operations = replacing.map((commit) => ({
        delete: { ...this.#assignShard(commit.organizationId), filter: buildReplacedFilter(commit) },
      }));
      await this.#connection.sendRequest(`delete replaced fragments of ${fragments}`, (client) =>
        client.batchUpdate(fragments, { operations, wait: true }),
      );
    }
    const commits = batch.map(({ commit }) => commit);
    const filter: Filter = {
      // Requires both the document id and the commit, so that a document that was replaced in the meantime is not
      // settled.
      must: [{ has_id: batch.map(({ documentId }) => documentId) }, buildInCondition('commit', commits)],
    };
    await this.#connection.sendRequest(`settle documents of ${documents}`, (client) =>
      client.setPayload(documents, { payload: { settled: true }, filter, wait: true }),
    );
  }
}

type PageOffset = string | undefined;

/**
 * Builds a filter for the fragments that a commit replaced: the fragments of older generations, and the fragments of
 * the commits in `replaced`. None of these commits can become current again. Other fragments of the same or a newer
 * generation do not match, because they may become current. The fragments of the commit itself do not match either.
 */
function buildReplacedFilter({ documentId, generation, commit, replaced }: Commit): Filter {
  const older: Filter[] = [
    { must: [{ key: 'generation', range: { lt: generation } }] },
    ...(replaced.length === 0 ? [] : [{ must: [buildInCondition('commit', replaced)] }]),
  ];
  return {
    must: [buildEqualsCondition('document_id', documentId), { should: older }],
    must_not: [buildEqualsCondition('commit', commit)],
  };
}
