import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecord } from './document-record.js';
import { equals, isOneOf, type Filter } from './filters.js';

/** Documents that are settled together. */
const BATCH = 200;

/** The record of a removed document is kept for a day: a run that was at work when it was removed ends well before that. */
const REMOVAL_KEPT_MS = 24 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;

/** A commit whose document is to be settled, and what has to be known of it. */
export interface Commit {
  readonly documentId: string;
  readonly commit: string;
  /** Fragments of older generations that are of another commit are deleted. */
  readonly generation: number;
  readonly replaced: readonly string[];
  /** Whether a newer run has confirmed it: a writer of an older one that was killed may have left fragments. */
  readonly isConfirmed?: boolean;
}

/**
 * Settles documents some time after they were written: what was replaced is deleted, and their records say so. Nothing
 * depends on when: until then a search has to look twice, and after a crash the next store that writes does it.
 */
export class Housekeeping {
  readonly #connection: QdrantConnection;
  readonly #names: CollectionNames;
  readonly #graceMs: number;
  readonly #report: (error: unknown) => void;
  readonly #waiting: { readonly commit: Commit; readonly from: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #purgeTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param report hears why settling failed */
  constructor(connection: QdrantConnection, names: CollectionNames, graceMs: number, report: (error: unknown) => void) {
    this.#connection = connection;
    this.#names = names;
    this.#graceMs = graceMs;
    this.#report = report;
  }

  /** To be called after the commit was read as the current one. */
  add(commit: Commit): void {
    this.#waiting.push({ commit, from: performance.now() + this.#graceMs });
    this.#plan();
  }

  /** Takes over what a store that was killed, or closed, has left. */
  async adopt(): Promise<void> {
    await this.#purgeRemovals();
    this.#purgeTimer = setInterval(() => {
      this.#purgeRemovals().catch(this.#report);
    }, PURGE_EVERY_MS).unref();
    const { documents } = this.#names;
    const filter: Filter = { must: [{ key: 'settled', match: { value: false } }] };
    for (let offset: PageOffset = undefined; ;) {
      const page = await this.#connection.ask(`look for what is to be settled in ${documents}`, (client) =>
        client.scroll(documents, {
          filter,
          limit: BATCH,
          with_payload: true,
          ...(offset === undefined ? {} : { offset }),
        }),
      );
      for (const { id, payload } of page.points) this.add({ documentId: String(id), ...documentRecord(payload ?? {}) });
      if (typeof page.next_page_offset !== 'string') return;
      offset = page.next_page_offset;
    }
  }

  /** Resolves when what runs has ended. Nothing starts after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#purgeTimer);
    await this.#running;
  }

  #plan(): void {
    const [first] = this.#waiting;
    if (this.#stopped || this.#running !== undefined || this.#timer !== undefined || first === undefined) return;
    const wait = Math.max(0, first.from - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, wait).unref();
  }

  async #run(): Promise<void> {
    const now = performance.now();
    const early = this.#waiting.findIndex(({ from }) => from > now);
    const batch = this.#waiting.splice(0, Math.min(BATCH, early === -1 ? BATCH : early)).map(({ commit }) => commit);
    try {
      await this.#settle(batch);
    } catch (error) {
      this.#report(error);
      for (const commit of batch) this.#waiting.push({ commit, from: performance.now() + this.#graceMs });
    }
    this.#running = undefined;
    this.#plan();
  }

  async #purgeRemovals(): Promise<void> {
    const { documents } = this.#names;
    const filter: Filter = { must: [{ key: 'removed_at', range: { lt: Date.now() - REMOVAL_KEPT_MS } }] };
    await this.#connection.ask(`purge removals from ${documents}`, (client) =>
      client.delete(documents, { filter, wait: true }),
    );
  }

  async #settle(batch: readonly Commit[]): Promise<void> {
    const { fragments, documents } = this.#names;
    const replacing = batch.filter(({ replaced, isConfirmed }) => replaced.length > 0 || isConfirmed === true);
    if (replacing.length > 0) {
      const operations = replacing.map((commit) => ({ delete: { filter: olderThan(commit) } }));
      await this.#connection.ask(`delete what was replaced in ${fragments}`, (client) =>
        client.batchUpdate(fragments, { operations, wait: true }),
      );
    }
    const commits = batch.map(({ commit }) => commit);
    const filter: Filter = {
      // Both: a document that was replaced meanwhile is not settled.
      must: [{ has_id: batch.map(({ documentId }) => documentId) }, isOneOf('commit', commits)],
    };
    await this.#connection.ask(`settle documents of ${documents}`, (client) =>
      client.setPayload(documents, { payload: { settled: true }, filter, wait: true }),
    );
  }
}

type PageOffset = string | undefined;

/**
 * Matches what a commit replaced: the commits that its record names, which were current and never will be again, and all
 * fragments of older generations, which never can be. Never what is newer, or of the same run and not named: that may be
 * about to become current. Nor the commit itself, which can be of an older run that a newer one has confirmed.
 */
function olderThan({ documentId, generation, commit, replaced }: Commit): Filter {
  const older: Filter[] = [
    { must: [{ key: 'generation', range: { lt: generation } }] },
    ...(replaced.length === 0 ? [] : [{ must: [isOneOf('commit', replaced)] }]),
  ];
  return { must: [equals('document_id', documentId), { should: older }], must_not: [equals('commit', commit)] };
}
