import type { DatasourceStatus, DatasourceType } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { bigint, foreignKey, index, integer, jsonb, text, unique, uuid } from 'drizzle-orm/pg-core';
import { datastores } from './datastores.js';
import { organizationId } from './organizations.js';
import { createdAt, id, moment, quarry, updatedAt } from './quarry-schema.js';

export const datasources = quarry.table(
  'datasources',
  {
    id: id(),
    organizationId: organizationId(),
    datastoreId: uuid('datastore_id').notNull(),
    type: text('type').$type<DatasourceType>().notNull(),
    name: text('name').notNull(),
    /**
     * Names the one document that the datasource is, in the fragment store; null for one of many documents, such as a web site. It
     * never changes, so that replacing the document replaces its fragments.
     */
    documentKey: text('document_key'),
    /** What tells a file or text from every other of its datastore: see document-identity.ts. Null in rows of versions without it. */
    identity: text('identity'),
    customId: text('custom_id'),
    groupId: uuid('group_id'),
    config: jsonb('config').$type<Readonly<Record<string, unknown>>>().notNull(),

    // The bytes of a file or document.
    blobKey: text('blob_key'),
    mimeType: text('mime_type'),
    source: text('source'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, unknown>>>(),

    /** A listing's request headers as @quarry/sealed makes them: nothing that is shown or logged. */
    sealedHeaders: text('sealed_headers'),

    /** What the next sync of a listing continues from; null: it reads everything. */
    listingState: jsonb('listing_state').$type<Readonly<Record<string, unknown>>>(),

    /** When a sync starts by itself; null: never. */
    nextSyncAt: moment('next_sync_at'),
    /** From then on the sync that starts by itself is a full one; null: none is. */
    nextFullSyncAt: moment('next_full_sync_at'),
    /** Runs that failed, one after the other. */
    failuresRunning: integer('failures_running').notNull().default(0),

    // The life, changed by the state machine of @quarry/contracts alone.
    status: text('status').$type<DatasourceStatus>().notNull(),
    runId: uuid('run_id'),
    sequence: integer('sequence').notNull(),

    // What the latest run came to.
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    fragments: integer('fragments'),
    storedTokens: bigint('stored_tokens', { mode: 'number' }),
    lastSynch: moment('last_synch'),

    createdAt: createdAt(),
    updatedAt: updatedAt(),
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
    index('datasources_newest').on(table.organizationId, table.id),
    index('datasources_of_datastore').on(table.organizationId, table.datastoreId, table.id),
  ],
);

export type DatasourceRow = typeof datasources.$inferSelect;
