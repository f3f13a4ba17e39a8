import { bigint, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, quarry } from './quarry-schema.js';

/** Kinds of content that a removal job removes. */
export type RemovalKind = 'document' | 'datasource' | 'datastore';

/**
 * Content that was deleted and whose removal from the fragment store is not confirmed yet. Searches exclude it. The row is
 * written with the deletion and deleted when the worker confirms the removal.
 */
export const removals = quarry.table(
  'removals',
  {
    id: uuid('id').primaryKey(),
    /** The ids are not foreign keys, because the removal outlives what it removes. */
    organizationId: uuid('organization_id').notNull(),
    datastoreId: uuid('datastore_id').notNull(),
    kind: text('kind').$type<RemovalKind>().notNull(),
    /** Null for a datastore. */
    datasourceId: uuid('datasource_id'),
    /** The newest generation that is removed, for a document. Null for other kinds, as is the key. */
    documentKey: text('document_key'),
    upTo: bigint('up_to', { mode: 'number' }),
    /** Payload of the job, to repeat it. */
    payload: jsonb('payload').$type<object>().notNull(),
    createdAt: createdAt(),
    attempts: integer('attempts').notNull(),
    /** When the job is repeated unless the removal is confirmed before. */
    repeatAt: moment('repeat_at').notNull(),
  },
  (table) => [
    index('removals_of_datastore').on(table.datastoreId, table.kind, table.createdAt),
    index('removals_to_repeat').on(table.repeatAt),
  ],
);
