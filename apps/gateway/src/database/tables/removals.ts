import { bigint, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, timeColumn, quarry } from './quarry-schema.js';

/** Kinds of content that a removal job removes. */
export type RemovalKind = 'document' | 'datasource' | 'datastore';

/**
 * Stores which deleted content may still be in the fragment store. Searches exclude this content. A row is inserted
 * with the deletion, and deleted when the worker confirms that the fragments are removed.
 */
export const removals = quarry.table(
  'removals',
  {
    id: uuid('id').primaryKey(),
    /** The ids are not foreign keys, because this row outlives the rows that they refer to. */
    organizationId: uuid('organization_id').notNull(),
    datastoreId: uuid('datastore_id').notNull(),
    kind: text('kind').$type<RemovalKind>().notNull(),
    /** The removed datasource, or the datasource of the removed document. Null for the removal of a datastore. */
    datasourceId: uuid('datasource_id'),
    /** The document key of the removed document. Null for removals of datasources and datastores. */
    documentKey: text('document_key'),
    /** The highest generation of the removed fragments of a document. Null for other kinds of removals. */
    upTo: bigint('up_to', { mode: 'number' }),
    /** Payload of the removal job. A lost job is enqueued again with this payload. */
    payload: jsonb('payload').$type<object>().notNull(),
    createdAt: createdAtColumn(),
    attempts: integer('attempts').notNull(),
    /** When the removal job is enqueued again, unless the removal is confirmed before that time. */
    repeatAt: timeColumn('repeat_at').notNull(),
  },
  (table) => [
    index('removals_of_datastore').on(table.datastoreId, table.kind, table.createdAt),
    index('removals_to_repeat').on(table.repeatAt),
  ],
);
