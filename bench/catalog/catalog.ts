import { randomBytes } from 'node:crypto';
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { catalogQueue, type CatalogSyncMode, type SyncCatalog } from '@quarry/contracts';
import { readCatalogSettings, startCatalogSync } from '@quarry/catalog-sync';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher } from '@quarry/encrypted-secrets';
import { createLog } from '@quarry/service-kit';
import { createCountingGateway } from './counting-gateway.js';
import { createCountingQueues } from './counting-queues.js';

/**
 * `node catalog.js <address> <folder>`: the catalogue synchronisation with its address check and with blobs on disk. The gateway
 * and the queues count what they receive. It runs one sync for each mode that it receives and sends the outcome.
 */

/** The outcome of one sync. */
export interface SyncOutcome {
  readonly seconds: number;
  /** CPU milliseconds of all threads. */
  readonly cpuSeconds: number;
  /** Documents that were recorded for indexing. Each changed document is embedded once. */
  readonly toEmbed: number;
  readonly documents: number;
  readonly addresses: readonly string[];
  /** Heap after the sync, and its maximum. */
  readonly heapMegabytes: number;
  readonly maxMegabytes: number;
  /** Heap after each automatic garbage collection. */
  readonly heapSamples: readonly number[];
}

const MEGABYTE = 1024 * 1024;

const [address = '', folder = ''] = process.argv.slice(2);
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
const gateway = createCountingGateway();
startCatalogSync({
  settings: readCatalogSettings({ QUARRY_CATALOG_ALLOW_LOOPBACK: 'true' }),
  ...{ queues, gateway, safeFetch, now: () => new Date() },
  log: createLog('catalog', 'warn'),
  blobs: await openFileBlobStore(folder),
  secretCipher: createSecretCipher([randomBytes(32)]),
});

let runs = 0;
/** The values of the last run. */
let listingState: SyncCatalog['listingState'];
process.on('message', (mode: CatalogSyncMode) => {
  runs += 1;
  const job: SyncCatalog = {
    ...{ organizationId: 'bench', datastoreId: 'bench', datasourceId: 'bench', datasourceType: 'item_listing' },
    ...{ runId: `run-${runs}`, generation: runs, splitting: { maxTokens: 512, overlapTokens: 64 } },
    ...{ url: address, mode, dryRun: false, pageSize: 100 },
    ...(listingState && { listingState }),
  };
  void runSync(job).then((synced) => process.send?.(synced));
});
process.on('disconnect', () => void inner.close());
process.send?.('ready');

async function runSync(job: SyncCatalog): Promise<SyncOutcome> {
  addresses = [];
  gateway.takeCount();
  const heapSamples: number[] = [];
  const collections = new PerformanceObserver((seen) => {
    if (seen.getEntries().some(isMajor)) heapSamples.push(readHeapMegabytes());
  });
  collections.observe({ entryTypes: ['gc'] });
  const begun = performance.now();
  const cpu = process.cpuUsage();
  await queues.run(catalogQueue, 'sync-catalog', job);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  collections.disconnect();
  globalThis.gc?.();
  const end = queues.lastEnumeration();
  ({ listingState } = end);
  return {
    ...{ seconds, cpuSeconds: (user + system) / 1e6, addresses, heapSamples },
    ...{ toEmbed: gateway.takeCount(), documents: end.discovered ?? 0 },
    heapMegabytes: readHeapMegabytes(),
    maxMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

function isMajor(collection: PerformanceEntry): boolean {
  const { detail } = collection as PerformanceEntry & { readonly detail: { readonly kind: number } }; // entries of type gc have this detail
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function readHeapMegabytes(): number {
  return Math.round(process.memoryUsage().heapUsed / MEGABYTE);
}
