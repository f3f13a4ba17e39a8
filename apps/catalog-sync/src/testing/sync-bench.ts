import type { BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { SyncCatalog, type DocumentOutcomeFound, type RunEnumerated } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { silentLog } from '@quarry/queue/testing';
import { openRunWatch, createStatusEmitter } from '@quarry/run-reporting';
import { parse } from '@quarry/validation';
import { syncCatalog, type SyncCatalogContext } from '../handlers/sync-catalog.js';
import type { ReadPage } from '@quarry/item-listing';
import { DATASOURCE_ID, SimulatedGateway } from './simulated-gateway.js';

export function createJobContext(changes: Partial<JobContext> = {}): JobContext {
  const signal = new AbortController().signal;
  return { id: 'job', attempt: 1, lastAttempt: false, starts: 1, signal, log: silentLog, ...changes };
}

export function createSyncJob(changes: Partial<SyncCatalog> = {}): SyncCatalog {
  const job = {
    organizationId: 'organization',
    datastoreId: 'datastore',
    datasourceId: DATASOURCE_ID,
    datasourceType: 'item_listing',
    runId: 'run-1',
    generation: 1,
    splitting: { maxTokens: 512, overlapTokens: 64 },
    url: 'http://shop.example/items',
    mode: 'incremental',
    dryRun: false,
    pageSize: 3,
  };
  return parse(SyncCatalog, { ...job, ...changes }, 'refuse');
}

/** Interval at which the run watch polls the gateway, in milliseconds. */
const POLL_MS = 5;

/** Runs the handler of `sync-catalog` jobs with in-memory dependencies. */
export class SyncBench {
  readonly blobs: BlobStore;
  readonly gateway: SimulatedGateway;
  readonly context: SyncCatalogContext;
  #lastRunId = '';

  constructor(readPage: ReadPage, blobs: BlobStore = createInMemoryBlobStore()) {
    this.blobs = blobs;
    this.gateway = new SimulatedGateway(blobs);
    const { gateway, statusQueue } = this.gateway;
    this.context = {
      ...{ blobs, gateway },
      watch: openRunWatch(gateway, silentLog, POLL_MS),
      statuses: createStatusEmitter(statusQueue),
      now: () => new Date(),
      openListing: () => readPage,
    };
  }

  /**
   * Starts a run, runs its job, indexes its documents and ends the run. @returns the `run-enumerated` event of the run
   */
  async runSync(changes: Partial<SyncCatalog> = {}): Promise<RunEnumerated> {
    const job = await this.startRun(changes);
    await this.syncUntilEnd(job);
    return this.gateway.endRun(job.runId);
  }

  /** Starts a run, which supersedes a pending run of the datasource. @returns the payload of its job */
  async startRun(changes: Partial<SyncCatalog> = {}): Promise<SyncCatalog> {
    const { runId, generation } = await this.gateway.runs.startRun(DATASOURCE_ID);
    const { listingState } = this.gateway;
    this.#lastRunId = runId;
    return createSyncJob({ runId, generation, ...(listingState && { listingState }), ...changes });
  }

  /** Returns the document keys that the last run recorded for indexing. */
  listKeysToIndex(): readonly string[] {
    return this.gateway.getRecordedDocuments(this.#lastRunId).toIndex.map((document) => document.documentKey);
  }

  /** Returns the outcomes of the documents that the last run settled without indexing. */
  listSettledDocuments(): readonly DocumentOutcomeFound[] {
    return this.gateway.getRecordedDocuments(this.#lastRunId).settled;
  }

  syncUntilEnd(job: SyncCatalog, context: Partial<JobContext> = {}): Promise<void> {
    return syncCatalog(this.context, job, createJobContext(context));
  }
}
