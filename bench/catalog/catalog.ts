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
 * `node catalog.js <address> <folder> [gateway]`: runs a catalogue sync of the listing at the address for each request that the
 * process receives, and sends back the outcome. Blobs are stored in the folder. The gateway and the queues are simulated and count
 * what they receive. The gateway is part of this process unless its URL is given.
 */

/** Requests a sync. */
export interface SyncRequest {
  readonly mode: CatalogSyncMode;
  /** The state after the sync of another process. Absent: the state after the last sync of this process. */
  readonly listingState?: SyncCatalog['listingState'];
}

/** The outcome of one sync. */
export interface SyncOutcome {
  readonly seconds: number;
  /** CPU milliseconds of all threads. */
  readonly cpuSeconds: number;
  /** Documents that were recorded for indexing. Each changed document is embedded once. */
  readonly toEmbed: number;
  readonly documents: number;
  readonly addresses: readonly string[];
  readonly listingState: SyncCatalog['listingState'];
  /** The longest time in milliseconds for which the event loop was not free. */
  readonly longestPauseMs: number;
  /** The longest time in milliseconds for which the event loop was computing. Unlike the pause, it excludes waits for a processor. */
  readonly longestWorkMs: number;
  /** Resident memory before the sync. */
  readonly startMegabytes: number;
  /** Heap after the sync, and its maximum. */
  readonly heapMegabytes: number;
  readonly maxMegabytes: number;
  /** Heap after each automatic garbage collection. */
  readonly heapSamples: readonly number[];
}

const MEGABYTE = 1024 * 1024;

// As in the main file of the service.
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

/** The values of the last run. */
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
  void runSync(job).then((synced) => process.send?.(synced));
});
process.on('disconnect', () => void inner.close());
process.send?.('ready');

async function runSync(job: SyncCatalog): Promise<SyncOutcome> {
  addresses = [];
  counting.takeCount();
  const heapSamples: number[] = [];
  const collections = new PerformanceObserver((seen) => {
    if (seen.getEntries().some(isMajor)) heapSamples.push(readHeapMegabytes());
  });
  collections.observe({ entryTypes: ['gc'] });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const startMegabytes = Math.round(process.memoryUsage.rss() / MEGABYTE);
  const readLongestWork = observeWork();
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
    ...{ toEmbed: counting.takeCount(), documents: end.discovered ?? 0 },
    heapMegabytes: readHeapMegabytes(),
    maxMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

/** Observes the CPU time of this thread between two runs of a timer. @returns a function that ends it and returns the maximum */
function observeWork(): () => number {
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

function isMajor(collection: PerformanceEntry): boolean {
  const { detail } = collection as PerformanceEntry & { readonly detail: { readonly kind: number } }; // entries of type gc have this detail
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function readHeapMegabytes(): number {
  return Math.round(process.memoryUsage().heapUsed / MEGABYTE);
}
