import { randomBytes, randomUUID } from 'node:crypto';
import { constants, monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { catalogQueue, type CatalogSyncMode, type SyncCatalog } from '@quarry/contracts';
import { readCatalogSettings, reduceHeapGrowth, startCatalogSync } from '@quarry/catalog-sync';
import { createGatewayClient } from '@quarry/run-reporting';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher } from '@quarry/encrypted-secrets';
import { createLog } from '@quarry/service-kit';
import { createCountingGateway } from './counting-gateway.js';
import { createCountingQueues } from './counting-queues.js';

/**
 * Program `node catalog.js <address> <folder> [gateway]`: runs Quarry's catalog-sync. For each message that the process
 * receives, it syncs the listing at the address, and sends back the outcome. It stores blobs in the folder. The queues
 * are simulated, and so is the gateway, which is part of this process unless its URL is given.
 */

/** Describes the message that requests a sync. */
export interface SyncRequest {
  readonly mode: CatalogSyncMode;
  /**
   * Listing state that a sync in another process has returned. Default: the state after the last sync of this process.
   */
  readonly listingState?: SyncCatalog['listingState'];
}

/** Describes the message that reports the outcome and the measurements of one sync. */
export interface SyncOutcome {
  readonly seconds: number;
  /** CPU time that all threads of the process used during the sync, in seconds. */
  readonly cpuSeconds: number;
  /** Number of documents that the sync recorded for indexing. Quarry would embed each of them once. */
  readonly toEmbed: number;
  readonly documents: number;
  readonly addresses: readonly string[];
  readonly listingState: SyncCatalog['listingState'];
  /** Longest delay of the event loop during the sync, in milliseconds. */
  readonly longestPauseMs: number;
  /**
   * Longest processor time that the main thread used without returning to the event loop, in milliseconds. Unlike
   * `longestPauseMs`, it excludes the time in which the thread waits for a processor.
   */
  readonly longestWorkMs: number;
  /** Resident memory of the process before the sync, in MB. */
  readonly startMegabytes: number;
  /** Used heap of the process after the sync, in MB. */
  readonly heapMegabytes: number;
  /** Maximum resident memory of the process since its start, in MB. */
  readonly maxMegabytes: number;
  /** Used heap after each major garbage collection during the sync, in MB. */
  readonly heapSamples: readonly number[];
}

const MEGABYTE = 1024 * 1024;

// The main file of catalog-sync also calls this function, so the measured memory is that of the real service.
reduceHeapGrowth();

const [address = '', folder = '', gatewayUrl = ''] = process.argv.slice(2);
const inner = createSafeFetch({ userAgent: 'bench', allowLoopback: true });
let addresses: string[] = [];
const safeFetch: typeof inner = {
  ...inner,
  fetch: async (url, options) => {
    addresses.push(url);
    return inner.fetch(url, options);
  },
};
const queues = createCountingQueues();
const counting = createCountingGateway();
const gateway = gatewayUrl === '' ? counting : createGatewayClient({ url: gatewayUrl, token: 'bench' }).runs;
startCatalogSync({
  settings: readCatalogSettings({ QUARRY_CATALOG_ALLOW_LOOPBACK: 'true' }),
  ...{ queues, gateway, safeFetch, now: () => new Date() },
  log: createLog('catalog', 'warn'),
  blobs: await openFileBlobStore(folder),
  secretCipher: createSecretCipher([randomBytes(32)]),
});

/** The listing state after the last sync of this process. */
let listingState: SyncCatalog['listingState'];
process.on('message', (request: SyncRequest) => {
  listingState = request.listingState ?? listingState;
  const { mode } = request;
  const job: SyncCatalog = {
    ...{ organizationId: 'bench', datastoreId: 'bench', datasourceId: 'bench', datasourceType: 'item_listing' },
    ...{ runId: randomUUID(), generation: Date.now(), splitting: { maxTokens: 512, overlapTokens: 64 } },
    ...{ url: address, mode, dryRun: false, pageSize: 100 },
    ...(listingState && { listingState }),
  };
  void runMeasuredSync(job).then((synced) => process.send?.(synced));
});
process.on('disconnect', () => void inner.close());
process.send?.('ready');

async function runMeasuredSync(job: SyncCatalog): Promise<SyncOutcome> {
  addresses = [];
  counting.countNewDocuments();
  const heapSamples: number[] = [];
  const collections = new PerformanceObserver((seen) => {
    if (seen.getEntries().some(isMajorGarbageCollection)) heapSamples.push(readHeapMegabytes());
  });
  collections.observe({ entryTypes: ['gc'] });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const startMegabytes = Math.round(process.memoryUsage.rss() / MEGABYTE);
  const readLongestWork = measureLongestWork();
  const begun = performance.now();
  const cpu = process.cpuUsage();
  await queues.run(catalogQueue, 'sync-catalog', job);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const longestWorkMs = readLongestWork();
  delays.disable();
  collections.disconnect();
  globalThis.gc?.();
  const end = queues.lastEnumeration();
  ({ listingState } = end);
  return {
    ...{ seconds, cpuSeconds: (user + system) / 1e6, addresses, heapSamples, listingState },
    ...{ longestPauseMs: Math.round(delays.max / 1e6), longestWorkMs, startMegabytes },
    ...{ toEmbed: counting.countNewDocuments(), documents: end.discovered ?? 0 },
    heapMegabytes: readHeapMegabytes(),
    maxMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

/**
 * Measures the maximum CPU time that this thread uses between two runs of a timer.
 *
 * @returns a function that stops the measurement and returns the maximum in milliseconds
 */
function measureLongestWork(): () => number {
  let longest = 0;
  let last = process.threadCpuUsage();
  const observeInterval = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
  };
  const timer = setInterval(observeInterval, 5);
  return () => {
    observeInterval();
    clearInterval(timer);
    return Math.round(longest / 1_000);
  };
}

function isMajorGarbageCollection(collection: PerformanceEntry): boolean {
  const { detail } = collection as PerformanceEntry & { readonly detail: { readonly kind: number } }; // entries of type gc have this detail
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function readHeapMegabytes(): number {
  return Math.round(process.memoryUsage().heapUsed / MEGABYTE);
}
