import { catalogQueue, datasourceStatusQueue, GiveUp, type SyncCatalog } from '@quarry/contracts';
import type { Consumer } from '@quarry/queue';
import { openRunWatch, createStatusEmitter, createJobEndHooks } from '@quarry/run-reporting';
import { decryptHeaders, DecryptionFailed, type Headers } from '@quarry/encrypted-secrets';
import type { CatalogSyncContext } from './context.js';
import { type ListingRequest, syncCatalog } from './handlers/sync-catalog.js';
import { fetchListingPage, buildListingParameters, type ReadPage } from '@quarry/item-listing';

/** Starts a consumer of the catalogue queue, which runs the `sync-catalog` jobs. */
export function startConsumers(context: CatalogSyncContext): Consumer {
  const { queues, blobs, gateway, log, now, settings } = context;
  const parts = {
    ...{ blobs, gateway, now },
    watch: openRunWatch(gateway, log),
    statuses: createStatusEmitter(queues.createProducer(datasourceStatusQueue)),
    openListing: (job: SyncCatalog, request: ListingRequest) => openListing(context, job, request),
  };
  return queues.startConsumer(
    catalogQueue,
    { 'sync-catalog': (payload, job) => syncCatalog(parts, payload, job) },
    { concurrency: settings.concurrency, ...createJobEndHooks<SyncCatalog>(parts) },
  );
}

function openListing(context: CatalogSyncContext, job: SyncCatalog, { signal, headersMs }: ListingRequest): ReadPage {
  const listing = { url: job.url, headers: decryptListingHeaders(context, job) };
  return (query) =>
    fetchListingPage(context.safeFetch, listing, buildListingParameters(query), { signal, limits: { headersMs } });
}

function decryptListingHeaders({ secretCipher }: CatalogSyncContext, job: SyncCatalog): Headers {
  if (job.sealedHeaders === undefined) return {};
  try {
    return decryptHeaders(secretCipher, job, job.sealedHeaders);
  } catch (cause) {
    if (!(cause instanceof DecryptionFailed)) throw cause;
    throw new GiveUp('listing_headers_unreadable', 'The headers of the listing cannot be decrypted: set them again', {
      cause,
    });
  }
}
