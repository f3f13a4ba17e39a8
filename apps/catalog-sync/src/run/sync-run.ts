import type { BlobStore } from '@quarry/blob-store';
import {
  createRunNote,
  createNoteFields,
  MAX_RUN_BATCH,
  NO_COUNTERS,
  type RunGateway,
  type RunNote,
  type SyncCatalog,
} from '@quarry/contracts';
import { createRunDocuments, type FoundDocuments, type RunReporter, type StatusEmitter } from '@quarry/run-reporting';
import {
  HashedKeySet,
  type ListedItem,
  ItemCount,
  ListingScan,
  type ReadPage,
  type ScanStart,
} from '@quarry/item-listing';
import {
  decideItemActions,
  type DecidedItem,
  type DecisionRules,
  storeDocuments,
  storeDocumentKeys,
} from './run-documents.js';
import { describeIncompleteReading, FutureItems, DryRunSummary } from './listing-notes.js';
import {
  estimatePageSize,
  joinPageBatches,
  MAX_READ_AHEAD_CHARACTERS,
  type PageBatch,
  readAhead,
  separateRepeatedDocuments,
} from './read-ahead.js';
import { createItemVersionFunction } from './listing-state.js';
import type { RunCheckpoint } from './run-checkpoint.js';
import type { SyncProgress } from './sync-progress.js';

export interface SyncRunContext {
  readonly blobs: BlobStore;
  readonly gateway: RunGateway;
  readonly statuses: StatusEmitter;
  readonly now: () => Date;
}

export interface SyncRunParts {
  readonly job: SyncCatalog;
  readonly readPage: ReadPage;
  readonly checkpoint: RunCheckpoint | undefined;
  readonly progress: SyncProgress;
  readonly reporter: Pick<RunReporter, 'reportProgress'>;
  /** Aborts the pending request of `readPage`, and makes its later calls fail. */
  readonly abortReading: () => void;
}

/** Maximum number of times that a full sync reads the whole listing, if the result may lack items. */
const MAX_READINGS = 3;

/** Describes whether the whole listing was read. */
interface Reading {
  /** True when the whole listing was read, so that documents of missing items can be removed. */
  readonly isWhole: boolean;
  /** Explains why a full sync removed nothing. Absent when `isWhole` is true, and after an incremental sync. */
  readonly noteIncomplete?: RunNote;
}

/** Synchronises one listing: reads its items and records their changes as documents of a run. */
export class SyncRun {
  readonly #context: SyncRunContext;
  readonly #parts: SyncRunParts;
  readonly #rules: DecisionRules;
  readonly #dryRunSummary = new DryRunSummary();
  readonly #future = new FutureItems();
  #count: ItemCount;
  /** The document keys that a dry run has read. Empty for other runs, whose memory must not grow with the listing. */
  #keys = new Set<string>();
  /** Number of documents that all processes of the run have recorded. */
  #documents = 0;

  constructor(context: SyncRunContext, parts: SyncRunParts) {
    const { job, progress, checkpoint } = parts;
    this.#context = context;
    this.#parts = parts;
    this.#rules = { mode: job.mode, computeVersion: createItemVersionFunction(job) };
    this.#count = this.#createCount(progress.isContinued ? checkpoint : undefined);
  }

  /** Reads the listing, records its changed items, and emits the event `run-enumerated`. */
  async runToEnd(): Promise<void> {
    const { mode, dryRun } = this.#parts.job;
    const reading = mode === 'full' ? await this.#readWholeListing() : await this.#readChanges();
    await (dryRun ? this.#reportDryRunEnd(reading) : this.#reportEnd(reading));
  }

  /** Saves the checkpoint of the run, from which another process resumes it. */
  async saveCheckpoint(): Promise<void> {
    if (!this.#parts.job.dryRun) await this.#recordDocuments({ toIndex: [], settled: [] });
  }

  async #reportEnd({ isWhole, noteIncomplete }: Reading): Promise<void> {
    const { datasourceId, runId } = this.#parts.job;
    await this.saveCheckpoint();
    await this.#context.statuses.emitEnumeration({
      ...{ datasourceId, runId, at: this.#context.now().toISOString(), complete: isWhole },
      ...{ discovered: this.#documents, fetched: this.#documents },
      ...createNoteFields(this.#buildNotes(noteIncomplete)),
      listingState: this.#parts.progress.toListingState(isWhole),
    });
  }

  async #reportDryRunEnd({ isWhole }: Reading): Promise<void> {
    const { job } = this.#parts;
    const { datasourceId, runId } = job;
    const { readCount: read, validCount: valid } = this.#dryRunSummary;
    const blobKey = isWhole ? await storeDocumentKeys(this.#context.blobs, job, this.#keys) : undefined;
    await this.#context.statuses.emitEnumeration({
      ...{ datasourceId, runId, at: this.#context.now().toISOString(), complete: false },
      ...{ discovered: read, fetched: read },
      ...createNoteFields(this.#dryRunSummary.describeCounts(isWhole)),
      ...(blobKey === undefined ? {} : { wouldKeep: { blobKey, valid } }),
    });
  }

  async #readChanges(): Promise<Reading> {
    await this.#scanListing(this.#parts.progress.begin);
    return { isWhole: false };
  }

  /** Reads the whole listing, up to three times, until the result contains `total_count` items. */
  async #readWholeListing(): Promise<Reading> {
    const { progress } = this.#parts;
    for (;;) {
      const isFirst = progress.readingCount === 0;
      const scan = await this.#scanListing(isFirst ? progress.begin : { modifiedAfter: '' });
      const total = await this.#countItems(scan);
      // Updates `#documents` with the number of documents that other processes have recorded.
      if (isFirst && progress.isContinued) await this.saveCheckpoint();
      const size = isFirst && progress.isContinued ? this.#documents : this.#count.size;
      const hasAllItems = total === size || total === size + this.#count.sharing;
      if (scan.isStable && hasAllItems) return { isWhole: true };
      progress.recordFailedReading();
      if (progress.readingCount >= MAX_READINGS)
        return { isWhole: false, noteIncomplete: describeIncompleteReading(scan, total, size) };
      this.#count = this.#createCount();
    }
  }

  #createCount(before?: RunCheckpoint): ItemCount {
    this.#keys = new Set();
    return new ItemCount(this.#parts.job.dryRun ? this.#keys : new HashedKeySet(), before);
  }

  async #scanListing(start: ScanStart): Promise<ListingScan> {
    const { job, readPage, abortReading, progress } = this.#parts;
    const scan = new ListingScan(readPage, { take: job.pageSize, ...start, now: this.#context.now });
    // `total_count` includes the items before the position at which the scan starts.
    const readBefore = progress.readCount - (start.position?.skip ?? 0);
    const readBatch = async (): Promise<PageBatch | undefined> => {
      const page = await scan.readNextPage();
      const { startedAt, answeredAt, resumeFrom } = scan;
      return page && { ...page, startedAt, answeredAt, resumeFrom };
    };
    const options = { maxSize: MAX_READ_AHEAD_CHARACTERS, getSize: estimatePageSize, abort: abortReading };
    for await (const pages of readAhead(readBatch, options)) {
      await this.#processPages(joinPageBatches(pages));
      this.#reportProgress(readBefore + (scan.totalCount ?? 0));
    }
    return scan;
  }

  async #processPages(pages: PageBatch): Promise<void> {
    const { job, progress } = this.#parts;
    const { documents, changedAgain } = separateRepeatedDocuments(pages.items);
    for (let at = 0; at < documents.length; at += MAX_RUN_BATCH) {
      const decided = await this.#decideItemActions(documents.slice(at, at + MAX_RUN_BATCH));
      if (job.dryRun) this.#dryRunSummary.addItems(decided);
      else await this.#recordItems(decided);
    }
    for (const item of changedAgain) progress.deferItem(item);
    this.#count.countPage(pages, pages.startedAt);
    this.#future.addPage(pages.fresh, pages.answeredAt);
    progress.advanceScan(pages.resumeFrom, pages.fresh.length);
  }

  async #decideItemActions(items: readonly ListedItem[]): Promise<readonly DecidedItem[]> {
    const { datasourceId, mode, dryRun } = this.#parts.job;
    const documentKeys = items.map(({ documentKey }) => documentKey);
    const includeInvalid = mode === 'incremental' && !dryRun;
    const known = await this.#context.gateway.readIndexedVersions({ datasourceId, documentKeys, includeInvalid });
    return decideItemActions(items, known, this.#rules);
  }

  async #recordItems(decided: readonly DecidedItem[]): Promise<void> {
    const { job, progress } = this.#parts;
    const found = await storeDocuments(this.#context.blobs, job, decided);
    const deferred = new Set(await this.#recordDocuments(found));
    for (const { item } of decided) if (deferred.has(item.documentKey)) progress.deferItem(item);
  }

  /**
   * Records documents together with a checkpoint. The checkpoint covers only earlier calls, so that after a crash the
   * items of this call are read again and deferred items are found again.
   *
   * @returns the keys of documents that must be deferred, because the run has already recorded another version of them
   * @throws RunNotWanted if the run was cancelled or superseded
   */
  async #recordDocuments(found: FoundDocuments): Promise<readonly string[]> {
    const { job, progress } = this.#parts;
    const { gateway, now } = this.#context;
    const { deferred, documents } = await createRunDocuments(gateway, job, now).recordFoundDocuments({
      ...found,
      checkpoint: progress.toCheckpoint(this.#count),
    });
    this.#documents = documents;
    return deferred;
  }

  #reportProgress(total: number): void {
    const { reporter, progress } = this.#parts;
    const { readCount: done } = progress;
    const counters = { ...NO_COUNTERS, discovered: this.#documents, fetched: this.#documents };
    reporter.reportProgress('fetching', { done, total: Math.max(total, done), unit: 'items' }, counters);
  }

  /** Returns the current number of items in the listing, from a request if the scan does not provide it. */
  async #countItems(scan: ListingScan): Promise<number> {
    if (scan.isSnapshot && scan.totalCount !== undefined) return scan.totalCount;
    return (await this.#parts.readPage({ take: 1, skip: 0, modifiedAfter: '' })).totalCount;
  }

  #buildNotes(noteIncomplete: RunNote | undefined): readonly RunNote[] {
    const { deferredCount: items } = this.#parts.progress;
    const changed = items === 1 ? '1 item changed while it was' : `${items} items changed while they were`;
    const deferred = `${changed} being read: the next sync reads ${items === 1 ? 'it' : 'them'} again.`;
    const notes = [
      noteIncomplete,
      this.#parts.job.mode === 'full' ? this.#count.describeSharedIds() : undefined,
      items === 0 ? undefined : createRunNote('items_changed_while_read', { items }, deferred),
      this.#future.describeItems(),
    ];
    return notes.filter((note) => note !== undefined);
  }
}
