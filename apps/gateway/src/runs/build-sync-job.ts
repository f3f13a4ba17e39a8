import {
  catalogQueue,
  crawlQueue,
  ingestionQueue,
  type CatalogSyncMode,
  type DocumentToIndex,
  type IndexDocument,
  type ItemListingConfig,
  type SyncJob,
} from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { outboxJob, type OutboxJob } from '../outbox/outbox.js';

export interface StartedRun {
  readonly id: string;
  readonly generation: number;
  readonly mode: CatalogSyncMode | null;
  readonly dryRun: boolean;
  readonly allowMassRemoval: boolean;
  /** Number of times that the lost job was enqueued again. */
  readonly repeats: number;
}

/** A datasource that is one document with a blob. */
export type DocumentRow = DatasourceRow & {
  readonly documentKey: string;
  readonly blobKey: string;
  readonly mimeType: string;
};

export function isDocument(row: DatasourceRow): row is DocumentRow {
  return row.documentKey !== null && row.blobKey !== null && row.mimeType !== null;
}

/** Fields of every job of a run. */
type Shared = Pick<SyncJob, keyof SyncJob>;

/**
 * Builds the job that fills a datasource, with all data that its worker needs.
 *
 * @returns undefined when the datasource has no content to read
 */
export function buildSyncJob(datastore: DatastoreRow, row: DatasourceRow, run: StartedRun): OutboxJob | undefined {
  const shared = buildSharedFields(datastore, row, run);
  const { source_url: url, sitemap } = row.config as Readonly<Record<string, string | undefined>>; // parsed when it was created
  switch (row.type) {
    case 'file':
    case 'document':
      return isDocument(row) ? buildIndexJob(shared, row) : undefined;
    case 'web_page':
      return url === undefined ? undefined : outboxJob(crawlQueue, 'crawl-page', { ...shared, url });
    case 'web_site':
      if (sitemap !== undefined) return outboxJob(crawlQueue, 'crawl-site', { ...shared, sitemap });
      return url === undefined ? undefined : outboxJob(crawlQueue, 'crawl-site', { ...shared, rootUrl: url });
    case 'item_listing':
      return buildCatalogJob(shared, row, run);
  }
}

/** Number of items per request. */
const PAGE_SIZE = 100;

function buildCatalogJob(
  shared: Shared,
  { config, encryptedHeaders, listingState }: DatasourceRow,
  run: StartedRun,
): OutboxJob {
  const { url, page_size: pageSize } = config as unknown as ItemListingConfig; // parsed when it was created
  return outboxJob(catalogQueue, 'sync-catalog', {
    ...shared,
    url,
    mode: run.mode ?? 'incremental',
    dryRun: run.dryRun,
    allowMassRemoval: run.allowMassRemoval,
    pageSize: pageSize ?? PAGE_SIZE,
    ...(encryptedHeaders === null ? {} : { sealedHeaders: encryptedHeaders }),
    ...(listingState === null ? {} : { listingState }),
  });
}

/** Returns the job that indexes one of the documents that a run has found. */
export function buildChildJob(
  datastore: DatastoreRow,
  row: DatasourceRow,
  run: Pick<StartedRun, 'id' | 'generation'>,
  { documentKey, name, blobKey, blobPart, mimeType, source, metadata, version }: DocumentToIndex,
): IndexDocument {
  return {
    ...buildSharedFields(datastore, row, { ...run, repeats: 0 }),
    ...{ partOfRun: true, documentKey, name, blobKey, mimeType },
    ...(blobPart !== undefined && { blobPart }),
    ...(source !== undefined && { source }),
    ...(metadata !== undefined && { metadata }),
    ...(version !== undefined && { version }),
  };
}

function buildIndexJob(shared: Shared, row: DocumentRow): OutboxJob {
  return outboxJob(ingestionQueue, 'index-document', {
    ...shared,
    documentKey: row.documentKey,
    name: getFileName(row),
    blobKey: row.blobKey,
    mimeType: row.mimeType,
    ...(row.source === null ? {} : { source: row.source }),
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
  });
}

/** Returns the name of the uploaded file, by which it is read, although the datasource may have been renamed. */
function getFileName({ name, config: { fileName } }: DocumentRow): string {
  return typeof fileName === 'string' ? fileName : name;
}

function buildSharedFields(
  datastore: DatastoreRow,
  row: DatasourceRow,
  run: Pick<StartedRun, 'id' | 'generation' | 'repeats'>,
): Shared {
  return {
    organizationId: row.organizationId,
    datastoreId: row.datastoreId,
    datasourceId: row.id,
    datasourceType: row.type,
    runId: run.id,
    generation: run.generation,
    splitting: datastore.splitting,
    ...(datastore.embedding === null ? {} : { embedding: datastore.embedding }),
    ...(row.customId === null ? {} : { customId: row.customId }),
    ...(run.repeats === 0 ? {} : { repeat: run.repeats }),
  };
}
