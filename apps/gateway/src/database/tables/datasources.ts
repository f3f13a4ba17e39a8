import type { DatasourceStatus, DatasourceType } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { bigint, foreignKey, index, integer, jsonb, text, unique, uuid } from 'drizzle-orm/pg-core';
import { datastores } from './datastores.js';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry, updatedAtColumn } from './quarry-schema.js';
import type { StoredPages } from './stored-pages.js';

export const datasources = quarry.table(
  'datasources',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    datastoreId: uuid('datastore_id').notNull(),
    type: text('type').$type<DatasourceType>().notNull(),
    name: text('name').notNull(),
    /**
     * Key of the datasource's only document. The fragment store uses this key or, for a web page, its normalized URL.
     * Never changes, so that a new version of the document replaces the fragments of the earlier version. Null for a
     * datasource of many documents, such as a web site.
     */
    documentKey: text('document_key'),
    /**
     * Identifies a file or text in its datastore: see document-identity.ts. A new file or text with the same identity
     * replaces it. Null for other types, and in rows that earlier versions of Quarry wrote.
     */
    identity: text('identity'),
    customId: text('custom_id'),
    /** The id of the batch of files with which the datasource was last added. Null: it was added alone. */
    groupId: uuid('group_id'),
    /**
     * The id of the uploaded file that was copied into the datasource. That file may have been deleted. Null: the
     * content is not a copy of a file.
     */
    fileId: uuid('file_id'),
    config: jsonb('config').$type<Readonly<Record<string, unknown>>>().notNull(),

    // The following columns describe the content of a file or text.
    blobKey: text('blob_key'),
    mimeType: text('mime_type'),
    source: text('source'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, unknown>>>(),

    /** The encrypted HTTP headers with which a listing is requested. Never returned by the API or logged. */
    encryptedHeaders: text('sealed_headers'),

    /**
     * The position in a listing from which the next incremental sync continues. Null: the next sync reads all items.
     */
    listingState: jsonb('listing_state').$type<Readonly<Record<string, unknown>>>(),

    /** Time of the next scheduled sync. Null: no sync is scheduled. */
    nextSyncAt: timeColumn('next_sync_at'),
    /** Time after which the next scheduled sync is a full sync. Null: no full sync is scheduled. */
    nextFullSyncAt: timeColumn('next_full_sync_at'),
    /** Number of consecutive failed runs. */
    failuresRunning: integer('failures_running').notNull().default(0),

    // The following columns contain the state of the datasource. Only the state machine of @quarry/contracts computes
    // new values.
    status: text('status').$type<DatasourceStatus>().notNull(),
    runId: uuid('run_id'),
    sequence: integer('sequence').notNull(),

    // The following columns contain the result of the latest run.
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    fragments: integer('fragments'),
    storedTokens: bigint('stored_tokens', { mode: 'number' }),
    /** The pages of the document, if the datasource is a single document. */
    pages: jsonb('pages').$type<StoredPages>(),
    lastSynch: timeColumn('last_synch'),

    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    foreignKey({
      name: 'datasources_datastore',
      columns: [table.organizationId, table.datastoreId],
      foreignColumns: [datastores.organizationId, datastores.id],
    }).onDelete('cascade'),
    unique('datasources_document_key').on(table.datastoreId, table.documentKey),
    unique('datasources_identity').on(table.datastoreId, table.identity),
    index('datasources_due')
      .on(table.nextSyncAt)
      .where(sql`${table.nextSyncAt} is not null`),
    index('datasources_waiting_for_room')
      .on(table.organizationId)
      .where(sql`${table.status} = 'usage_limit_reached'`),
    // The index omits the status `synched`. Most datasources have this status, so a list of them does not need the
    // index.
    index('datasources_by_status')
      .on(table.organizationId, table.status, table.id)
      .where(sql`${table.status} <> 'synched'`),
    index('datasources_by_type').on(table.organizationId, table.type, table.id),
    index('datasources_of_file')
      .on(table.organizationId, table.fileId)
      .where(sql`${table.fileId} is not null`),
    index('datasources_newest').on(table.organizationId, table.id),
    index('datasources_of_datastore').on(table.organizationId, table.datastoreId, table.id),
  ],
);

export type DatasourceRow = typeof datasources.$inferSelect;
