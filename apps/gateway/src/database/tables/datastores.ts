import type { EmbeddingSettings, SplittingSettings } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { index, integer, jsonb, text, unique } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry, updatedAtColumn } from './quarry-schema.js';

export const datastores = quarry.table(
  'datastores',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    name: text('name').notNull(),
    description: text('description'),
    /** The embedding model of the datastore and its settings. Never changes. Null: lexical search only. */
    embedding: jsonb('embedding').$type<EmbeddingSettings>(),
    splitting: jsonb('splitting').$type<SplittingSettings>().notNull(),
    /** Languages that OCR recognizes in scanned documents. Null: the languages in the configuration of the worker. */
    ocrLanguages: jsonb('ocr_languages').$type<readonly string[]>(),
    /** Key-value pairs that clients of the OpenAI-compatible API store with the datastore. */
    metadata: jsonb('metadata').$type<Readonly<Record<string, string>>>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
    /** The number of days without use after which the datastore expires. Null: it does not expire. */
    expiryDays: integer('expiry_days'),
    /** When the datastore expires, unless it is used before that time. Null: never. */
    expiresAt: timeColumn('expires_at'),
    /**
     * Time from which searches refuse the datastore, because it has expired. Its content is kept. Null: it has not
     * expired.
     */
    expiredAt: timeColumn('expired_at'),
    /**
     * Time from which the datastore is invisible, because its removal has begun. Its datasources are removed in steps,
     * and this row last.
     */
    removedAt: timeColumn('removed_at'),
  },
  // References to a datastore include the organization, so that the database enforces the separation of tenants.
  (table) => [
    unique('datastores_organization_id').on(table.organizationId, table.id),
    index('datastores_removed')
      .on(table.organizationId, table.id)
      .where(sql`${table.removedAt} is not null`),
    index('datastores_expiry')
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null and ${table.expiredAt} is null`),
  ],
);

export type DatastoreRow = typeof datastores.$inferSelect;
