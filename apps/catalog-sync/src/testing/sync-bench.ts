import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { SyncCatalog } from '@quarry/contracts';
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
  readonly waits: number[] = [];

  constructor(readPage: ReadPage, blobs: BlobStore = inMemoryBlobStore()) {
    this.blobs = blobs;
    this.gateway = new InMemoryGateway(blobs);
    this.context = {
      blobs,
      ingestion: this.gateway.ingestionQueue,
      status: this.gateway.statusQueue,
      now: () => new Date(),
      wait: async (ms) => {
        this.waits.push(ms);
      },
      openListing: () => readPage,
    };
  }

  sync(job: SyncCatalog, context: Partial<JobContext> = {}): Promise<void> {
    return syncCatalog(this.context, job, jobContext(context));
  }
}
