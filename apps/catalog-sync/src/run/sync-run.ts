import type { BlobStore } from '@quarry/blob-store';
import { MAX_RUN_BATCH, NO_COUNTERS, type RunGateway, type SyncCatalog } from '@quarry/contracts';
import { runDocuments, type RunReporter, type Statuses } from '@quarry/run-reporting';
import { decideItems, type DecidedItem, type DecisionRules } from '../documents/decide-items.js';
import { storeKeys } from '../documents/run-folder.js';
import { storeDocuments, type FoundDocuments } from '../documents/store-documents.js';
import { type ListedItem, ItemCount, ListingScan, type ReadPage } from '@quarry/item-listing';
import { FutureItems } from './future-items.js';
import { itemVersions } from './listing-state.js';
import { MAX_READ_AHEAD_CHARACTERS, joinPages, pageSize, splitPage, type ReadPages } from './read-pages.js';
import { readAhead } from './read-ahead.js';
import type { RunCheckpoint } from './run-checkpoint.js';
import type { SyncProgress } from './sync-progress.js';
import { Tally } from './tally.js';

export interface SyncRunContext {
  readonly blobs: BlobStore;
  readonly gateway: RunGateway;
  readonly statuses: Statuses;
  readonly now: () => Date;
}

export interface SyncRunParts {
  readonly job: SyncCatalog;
  readonly readPage: ReadPage;
  readonly checkpoint: RunCheckpoint | undefined;
  readonly progress: SyncProgress;
  readonly reporter: Pick<RunReporter, 'progressed'>;
  /** Aborts the request that `readPage` makes: nobody needs its page any more. */
  readonly abortReading: () => void;
}

/** A listing that changes while it is read is read again, up to this many times in a run. */
const MAX_READINGS = 3;

/** What a run has read of a listing. */
interface Reading {
  /** The document keys of everything that this process has read, where that is the whole listing. */
  readonly whole: ReadonlySet<string> | undefined;
  readonly doubt: string;
}

/** One synchronisation of a listing. */
export class SyncRun {
  readonly #context: SyncRunContext;
  readonly #parts: SyncRunParts;
  readonly #rules: DecisionRules;
  readonly #tally = new Tally();
  readonly #future = new FutureItems();
  #count: ItemCount;
  /** Documents that the run has recorded. */
  #documents = 0;

  constructor(context: SyncRunContext, parts: SyncRunParts) {
    const { job, progress, checkpoint } = parts;
    this.#context = context;
    this.#parts = parts;
    const isReported = (item: ListedItem): boolean => !job.dryRun && progress.isReported(item);
    this.#rules = { mode: job.mode, versionOf: itemVersions(job), isReported };
    this.#count = new ItemCount(progress.isContinued ? checkpoint : undefined);
  }

  /** Reads the listing, records what has changed, and emits the end of the enumeration. */
  async run(): Promise<void> {
    const { mode, dryRun } = this.#parts.job;
    const reading = mode === 'full' ? await this.#readWhole() : await this.#readChanges();
    await (dryRun ? this.#endDryRun(reading) : this.#end(reading));
  }

  /** Saves what the run has reached, for the process that continues it. */
  async saveCheckpoint(): Promise<void> {
    if (!this.#parts.job.dryRun) await this.#record({ toIndex: [], settled: [] });
  }

  async #end({ whole, doubt }: Reading): Promise<void> {
    const { datasourceId, runId } = this.#parts.job;
    await this.saveCheckpoint();
    const isWhole = whole !== undefined;
    const note = this.#describe(doubt);
    await this.#context.statuses.enumerated({
      ...{ datasourceId, runId, at: this.#context.now().toISOString(), complete: isWhole },
      ...{ discovered: this.#documents, fetched: this.#documents },
      ...(note === '' ? {} : { note }),
      listingState: this.#parts.progress.toListingState(isWhole),
    });
  }

  async #endDryRun({ whole }: Reading): Promise<void> {
    const { job } = this.#parts;
    const { datasourceId, runId } = job;
    const { read, valid } = this.#tally;
    const blobKey = whole && (await storeKeys(this.#context.blobs, job, whole));
    await this.#context.statuses.enumerated({
      ...{ datasourceId, runId, at: this.#context.now().toISOString(), complete: false },
      ...{ discovered: read, fetched: read },
      note: this.#tally.describe(whole !== undefined),
      ...(blobKey === undefined ? {} : { wouldKeep: { blobKey, valid } }),
    });
  }

  async #readChanges(): Promise<Reading> {
    await this.#scan(this.#parts.progress.beginAfter);
    return { whole: undefined, doubt: '' };
  }

  /** Reads the listing until one reading has shown as many items as the listing says there are. */
  async #readWhole(): Promise<Reading> {
    const { progress } = this.#parts;
    for (;;) {
      const isFirst = progress.readings === 0;
      const scan = await this.#scan(isFirst ? progress.beginAfter : '');
      const total = await this.#totalOf(scan);
      // What other processes have read in the first reading is recorded.
      if (isFirst && progress.isContinued) await this.saveCheckpoint();
      const size = isFirst && progress.isContinued ? this.#documents : this.#count.keys.size;
      const isWhole = total === size || total === size + this.#count.sharing;
      if (scan.steady && isWhole) return { whole: this.#count.keys, doubt: '' };
      progress.startAgain();
      if (progress.readings >= MAX_READINGS) return { whole: undefined, doubt: doubtOf(scan, total, size) };
      this.#count = new ItemCount();
    }
  }

  async #scan(modifiedAfter: string): Promise<ListingScan> {
    const { job, readPage, abortReading } = this.#parts;
    const scan = new ListingScan(readPage, { take: job.pageSize, modifiedAfter, now: this.#context.now });
    const readBefore = this.#parts.progress.read;
    const read = async (): Promise<ReadPages | undefined> => {
      const page = await scan.next();
      const { begunAt, answeredAt, goesOnAfter } = scan;
      return page && { ...page, begunAt, answeredAt, goesOnAfter };
    };
    const options = { most: MAX_READ_AHEAD_CHARACTERS, sizeOf: pageSize, leave: abortReading };
    for await (const pages of readAhead(read, options)) {
      await this.#handle(joinPages(pages));
      this.#reportProgress(readBefore + (scan.totalCount ?? 0));
    }
    return scan;
  }

  async #handle(pages: ReadPages): Promise<void> {
    const { job, progress } = this.#parts;
    const { documents, changedAgain } = splitPage(pages.items);
    for (let at = 0; at < documents.length; at += MAX_RUN_BATCH) {
      const decided = await this.#decide(documents.slice(at, at + MAX_RUN_BATCH));
      if (job.dryRun) this.#tally.add(decided);
      else await this.#recordItems(decided);
    }
    for (const item of changedAgain) progress.defer(item);
    this.#count.add(pages, pages.begunAt);
    this.#future.add(pages.fresh, pages.answeredAt);
    progress.advance(pages.goesOnAfter, pages.fresh.length);
  }

  async #decide(items: readonly ListedItem[]): Promise<readonly DecidedItem[]> {
    const { datasourceId } = this.#parts.job;
    const documentKeys = items.map(({ documentKey }) => documentKey);
    const indexed = await this.#context.gateway.indexedVersions({ datasourceId, documentKeys });
    return decideItems(items, indexed, this.#rules);
  }

  async #recordItems(decided: readonly DecidedItem[]): Promise<void> {
    const { job, progress } = this.#parts;
    const found = await storeDocuments(this.#context.blobs, job, decided);
    const deferred = new Set(await this.#record(found));
    for (const { item, decision } of decided) {
      if (deferred.has(item.documentKey)) progress.defer(item);
      if (decision === 'reject' || this.#rules.isReported(item)) progress.noteInvalid(item);
    }
  }

  /**
   * The checkpoint says what earlier calls have recorded. What this call records is read again after a crash, so that the items
   * that it defers are found again.
   *
   * @returns the keys of documents that the run has recorded before with another version
   * @throws RunNotWanted
   */
  async #record(found: FoundDocuments): Promise<readonly string[]> {
    const { job, progress } = this.#parts;
    const { gateway, now } = this.#context;
    const { deferred, documents } = await runDocuments(gateway, job, now).record({
      ...found,
      checkpoint: progress.toCheckpoint(this.#count),
    });
    this.#documents = documents;
    return deferred;
  }

  #reportProgress(total: number): void {
    const { reporter, progress } = this.#parts;
    const { read: done } = progress;
    const counters = { ...NO_COUNTERS, discovered: this.#documents, fetched: this.#documents };
    reporter.progressed('fetching', { done, total: Math.max(total, done), unit: 'items' }, counters);
  }

  /** Returns how many items the listing has now. */
  async #totalOf(scan: ListingScan): Promise<number> {
    if (scan.isSnapshot && scan.totalCount !== undefined) return scan.totalCount;
    return (await this.#parts.readPage({ take: 1, skip: 0, modifiedAfter: '' })).totalCount;
  }

  #describe(doubt: string): string {
    const { deferred } = this.#parts.progress;
    const parts = [
      doubt === '' ? '' : `Nothing was removed, because ${doubt}.`,
      this.#parts.job.mode === 'full' ? this.#count.describeSharedIds() : '',
      deferred === 0 ? '' : `${deferred} items changed while they were being read: the next sync reads them again.`,
      this.#future.describe(),
    ];
    return parts.filter((part) => part !== '').join(' ');
  }
}

function doubtOf({ steady }: ListingScan, total: number, size: number): string {
  return steady
    ? `total_count says ${total}, ${size} different items were read`
    : 'items moved faster than they could be read';
}
