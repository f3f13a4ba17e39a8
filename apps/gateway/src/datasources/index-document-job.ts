import { ingestionQueue, type IndexDocument } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { outboxJob, type OutboxJob } from '../outbox/outbox.js';

export interface StartedRun {
  readonly id: string;
  readonly generation: number;
}

/** A datasource that is one document, and has its bytes. */
export type DocumentRow = DatasourceRow & {
  readonly documentKey: string;
  readonly blobKey: string;
  readonly mimeType: string;
};

export function isDocument(row: DatasourceRow): row is DocumentRow {
  return row.documentKey !== null && row.blobKey !== null && row.mimeType !== null;
}

/** The job that indexes a document, with everything the worker needs to know. */
export function indexDocumentJob(datastore: DatastoreRow, row: DocumentRow, run: StartedRun): OutboxJob {
  const payload: IndexDocument = {
    organizationId: row.organizationId,
    datastoreId: row.datastoreId,
    datasourceId: row.id,
    datasourceType: row.type,
    runId: run.id,
    generation: run.generation,
    documentKey: row.documentKey,
    name: row.name,
    blobKey: row.blobKey,
    mimeType: row.mimeType,
    splitting: datastore.splitting,
    ...(datastore.embedding === null ? {} : { embedding: datastore.embedding }),
    ...(row.customId === null ? {} : { customId: row.customId }),
    ...(row.source === null ? {} : { source: row.source }),
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
  };
  return outboxJob(ingestionQueue, 'index-document', payload);
}
