import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { SyncCatalog, type DocumentSettled, type RunEnumerated } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';
import { silentLog } from '@quarry/queue-bullmq/testing';
import { parse } from '@quarry/validation';
import { syncCatalog, type SyncCatalogContext } from '../handlers/sync-catalog.js';
import type { ReadPage } from '../scan/listing-scan.js';
import { InMemoryGateway } from './in-memory-gateway.js';

export function jobContext(changes: Partial<JobContext> = {}): JobContext {
  const signal = new AbortController().signal;
  return { id: 'job', attempt: 1, lastAttempt: false, starts: 1, signal, log: silentLog, ...changes };
}

export function syncJob(changes: Partial<SyncCatalog> = {}): SyncCatalog {
  const job = {
    organizationId: 'organization',
    datastoreId: 'datastore',
    datasourceId: 'datasource',
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

/** The handler with everything around it in memory. */
export class SyncBench {
  readonly blobs: BlobStore;
  readonly gateway: InMemoryGateway;
  readonly context: SyncCatalogContext;
  /** The waits before a request that was made again, in milliseconds. */
  readonly waits: number[] = [];
  clockAheadMs = 0;
  #runs = 0;

  constructor(readPage: ReadPage, blobs: BlobStore = inMemoryBlobStore()) {
    this.blobs = blobs;
    this.gateway = new InMemoryGateway(blobs);
    this.context = {
      blobs,
      ingestion: this.gateway.ingestionQueue,
      status: this.gateway.statusQueue,
      now: () => new Date(Date.now() + this.clockAheadMs),
      wait: async (ms) => {
        this.waits.push(ms);
      },
      openListing: () => readPage,
    };
  }

  /** Runs one synchronisation to its end, in a run of its own. */
  async run(changes: Partial<SyncCatalog> = {}): Promise<RunEnumerated> {
    const job = this.nextJob(changes);
    await this.sync(job);
    return this.gateway.endRun(job.runId);
  }

  nextJob(changes: Partial<SyncCatalog> = {}): SyncCatalog {
    this.#runs += 1;
    return syncJob({ runId: `run-${this.#runs}`, generation: this.#runs, ...changes });
  }

  /** The document keys that the last run handed to ingestion. */
  handedOver(): readonly string[] {
    return this.gateway.indexJobs(`run-${this.#runs}`).map((job) => job.documentKey);
  }

  /** What the last run settled itself. */
  settled(): readonly DocumentSettled[] {
    return this.gateway.settled(`run-${this.#runs}`);
  }

  sync(job: SyncCatalog, context: Partial<JobContext> = {}): Promise<void> {
    return syncCatalog(this.context, job, jobContext(context));
  }
}
