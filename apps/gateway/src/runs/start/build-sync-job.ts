import {
  catalogQueue,
  crawlQueue,
  buildIndexJobId,
  ingestionQueue,
  type CatalogSyncMode,
  type DocumentToIndex,
  type IndexDocument,
  type ItemListingConfig,
  type JobPayloads,
  type QueueContract,
  type SyncJob,
  formatSyncJobId,
} from '@quarry/contracts';
import type { DatasourceRow } from '../../database/tables/datasources.js';
import type { DatastoreRow } from '../../database/tables/datastores.js';
import { buildOutboxJob, computeIndexingCost, type OutboxJob } from '../../outbox/outbox.js';

export interface StartedRun {
  readonly id: string;
  readonly generation: number;
  readonly mode: CatalogSyncMode | null;
  readonly dryRun: boolean;
  readonly allowMassRemoval: boolean;
  /** Number of times that the job of the run was lost and enqueued again. */
  readonly repeats: number;
}

/** The row of a datasource that consists of one document with stored bytes. */
export type DocumentRow = DatasourceRow & {
  readonly documentKey: string;
  readonly blobKey: string;
  readonly mimeType: string;
};

export function isDocumentRow(row: DatasourceRow): row is DocumentRow {
  return row.documentKey !== null && row.blobKey !== null && row.mimeType !== null;
}

/** The fields that every job of a run has. */
type SharedFields = Pick<SyncJob, keyof SyncJob>;

/**
 * Builds the job that syncs a datasource, with all data that the worker needs.
 *
 * @returns undefined when the datasource has no content to read
 */
export function buildSyncJob(datastore: DatastoreRow, row: DatasourceRow, run: StartedRun): OutboxJob | undefined {
  const shared = buildSharedJobFields(datastore, row, run);
  const { source_url: url, sitemap } = row.config as Readonly<Record<string, string | undefined>>; // parsed when it was created
  switch (row.type) {
    case 'file':
    case 'document':
      return isDocumentRow(row) ? buildSingleDocumentJob(shared, row) : undefined;
    case 'web_page':
      return url === undefined ? undefined : buildSyncOutboxJob(crawlQueue, 'crawl-page', { ...shared, url });
    case 'web_site':
      if (sitemap !== undefined) return buildSyncOutboxJob(crawlQueue, 'crawl-site', { ...shared, sitemap });
      return url === undefined ? undefined : buildSyncOutboxJob(crawlQueue, 'crawl-site', { ...shared, rootUrl: url });
    case 'item_listing':
      return buildCatalogJob(shared, row, run);
  }
}

/** Identifies a job in its queue. */
export interface SyncJobId {
  readonly queue: string;
  readonly id: string;
}

/** Returns the id of the job that `buildSyncJob` builds. */
export function buildSyncJobId(
  { type, documentKey }: Pick<DatasourceRow, 'type' | 'documentKey'>,
  { id: runId, repeats: repeat }: Pick<StartedRun, 'id' | 'repeats'>,
): SyncJobId {
  switch (type) {
    case 'file':
    case 'document':
      return { queue: ingestionQueue.name, id: buildIndexJobId({ runId, repeat, documentKey: documentKey ?? '' }) };
    case 'web_page':
    case 'web_site':
      return { queue: crawlQueue.name, id: formatSyncJobId({ runId, repeat }) };
    case 'item_listing':
      return { queue: catalogQueue.name, id: formatSyncJobId({ runId, repeat }) };
  }
}

/** Default number of items per request to an item listing. */
export const DEFAULT_LISTING_PAGE_SIZE = 100;

function buildCatalogJob(
  shared: SharedFields,
  { config, encryptedHeaders, listingState }: DatasourceRow,
  run: StartedRun,
): OutboxJob {
  const { url, page_size: pageSize } = config as unknown as ItemListingConfig; // parsed when it was created
  return buildSyncOutboxJob(catalogQueue, 'sync-catalog', {
    ...shared,
    url,
    mode: run.mode ?? 'incremental',
    dryRun: run.dryRun,
    allowMassRemoval: run.allowMassRemoval,
    pageSize: pageSize ?? DEFAULT_LISTING_PAGE_SIZE,
    ...(encryptedHeaders === null ? {} : { sealedHeaders: encryptedHeaders }),
    ...(listingState === null ? {} : { listingState }),
  });
}

/** Builds the payload of the job that indexes one of the documents that a run has found. */
export function buildFoundDocumentJob(
  datastore: DatastoreRow,
  row: DatasourceRow,
  run: Pick<StartedRun, 'id' | 'generation'>,
  { documentKey, name, blobKey, blobPart, mimeType, source, metadata, version }: DocumentToIndex,
): IndexDocument {
  return {
    ...buildSharedJobFields(datastore, row, { ...run, repeats: 0 }),
    ...{ partOfRun: true, documentKey, name, blobKey, mimeType },
    ...(blobPart !== undefined && { blobPart }),
    ...(source !== undefined && { source }),
    ...(metadata !== undefined && { metadata }),
    ...(version !== undefined && { version }),
  };
}

function buildSingleDocumentJob(shared: SharedFields, row: DocumentRow): OutboxJob {
  const { fileSize } = row.config;
  return buildOutboxJob(ingestionQueue, {
    name: 'index-document',
    class: 'sync',
    cost: computeIndexingCost(typeof fileSize === 'number' ? fileSize : undefined),
    payload: {
      ...shared,
      documentKey: row.documentKey,
      name: getOriginalFileName(row),
      blobKey: row.blobKey,
      mimeType: row.mimeType,
      ...(row.source === null ? {} : { source: row.source }),
      ...(row.metadata === null ? {} : { metadata: row.metadata }),
    },
  });
}

/** Builds the outbox job for one of several documents of a run. */
export function buildFoundDocumentOutboxJob(payload: IndexDocument): OutboxJob {
  const cost = computeIndexingCost(payload.blobPart?.length);
  return buildOutboxJob(ingestionQueue, { name: 'index-document', class: 'bulk', cost, payload });
}

function buildSyncOutboxJob<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  name: Name,
  payload: Jobs[Name],
): OutboxJob {
  return buildOutboxJob(contract, { name, payload, class: 'sync' });
}

/** Returns the name that the file had when it was uploaded, because the datasource may have been renamed. */
function getOriginalFileName({ name, config: { fileName } }: DocumentRow): string {
  return typeof fileName === 'string' ? fileName : name;
}

function buildSharedJobFields(
  datastore: DatastoreRow,
  row: DatasourceRow,
  run: Pick<StartedRun, 'id' | 'generation' | 'repeats'>,
): SharedFields {
  return {
    organizationId: row.organizationId,
    datastoreId: row.datastoreId,
    datasourceId: row.id,
    datasourceType: row.type,
    runId: run.id,
    generation: run.generation,
    splitting: datastore.splitting,
    ...(datastore.embedding === null ? {} : { embedding: datastore.embedding }),
    ...(datastore.ocrLanguages === null ? {} : { ocrLanguages: datastore.ocrLanguages }),
    ...(row.customId === null ? {} : { customId: row.customId }),
    ...(run.repeats === 0 ? {} : { repeat: run.repeats }),
  };
}
