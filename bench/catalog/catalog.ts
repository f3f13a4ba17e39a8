import { randomBytes } from 'node:crypto';
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { catalogQueue, type CatalogSyncMode, type SyncCatalog } from '@quarry/contracts';
import { readCatalogSettings, startCatalogSync } from '@quarry/catalog-sync';
import { systemWait } from '@quarry/item-listing';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher } from '@quarry/encrypted-secrets';
import { createLog } from '@quarry/service-kit';
import { countingGateway } from './counting-gateway.js';
import { countingQueues } from './counting-queues.js';

/*
 * `node catalog.js <address> <folder>`: the catalogue synchronisation as it is, with its guard and its blobs on disk, and a gateway
 * and queues that count. Runs a sync for each mode it is sent, and sends what came of it.
 */

/** What one sync came to. */
export interface Synced {
  readonly seconds: number;
  /** Of the processors, all threads together. */
  readonly cpuSeconds: number;
  /** Documents that were recorded to be indexed: each is embedded once, when it has changed. */
  readonly handedOver: number;
  readonly documents: number;
  readonly addresses: readonly string[];
  /** Held after the sync, and the most that was held at once. */
  readonly heapMegabytes: number;
  readonly mostMegabytes: number;
  /** The heap whenever Node has collected its garbage by itself. */
  readonly heapOnTheWay: readonly number[];
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
const queues = countingQueues();
const gateway = countingGateway();
startCatalogSync({
  settings: readCatalogSettings({ QUARRY_CATALOG_ALLOW_LOOPBACK: 'true' }),
  ...{ queues, gateway, safeFetch, wait: systemWait, now: () => new Date() },
  log: createLog('catalog', 'warn'),
  blobs: await openFileBlobStore(folder),
  secretCipher: createSecretCipher([randomBytes(32)]),
});

let runs = 0;
/** Of the last run. */
let listingState: SyncCatalog['listingState'];
process.on('message', (mode: CatalogSyncMode) => {
  runs += 1;
  const job: SyncCatalog = {
    ...{ organizationId: 'bench', datastoreId: 'bench', datasourceId: 'bench', datasourceType: 'item_listing' },
    ...{ runId: `run-${runs}`, generation: runs, splitting: { maxTokens: 512, overlapTokens: 64 } },
    ...{ url: address, mode, dryRun: false, pageSize: 100 },
    ...(listingState && { listingState }),
  };
  void sync(job).then((synced) => process.send?.(synced));
});
process.on('disconnect', () => void inner.close());
process.send?.('ready');

async function sync(job: SyncCatalog): Promise<Synced> {
  addresses = [];
  gateway.takeCount();
  const heapOnTheWay: number[] = [];
  const collections = new PerformanceObserver((seen) => {
    if (seen.getEntries().some(isMajor)) heapOnTheWay.push(heap());
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
    ...{ seconds, cpuSeconds: (user + system) / 1e6, addresses, heapOnTheWay },
    ...{ handedOver: gateway.takeCount(), documents: end.discovered ?? 0 },
    heapMegabytes: heap(),
    mostMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

function isMajor(collection: PerformanceEntry): boolean {
  const { detail } = collection as PerformanceEntry & { readonly detail: { readonly kind: number } }; // as those of type gc have
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function heap(): number {
  return Math.round(process.memoryUsage().heapUsed / MEGABYTE);
}
