import { bigint, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationIdColumn } from './organizations.js';
import { quarry } from './quarry-schema.js';

/**
 * Stores how many tokens of each document count against the limit: stored tokens, or tokens that a run in progress may
 * store.
 */
export const tokenReservations = quarry.table(
  'token_reservations',
  {
    organizationId: organizationIdColumn(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    documentKey: text('document_key').notNull(),
    tokens: bigint('tokens', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasourceId, table.documentKey] }),
    index('token_reservations_of_organization').on(table.organizationId),
  ],
);

/**
 * Stores the sum of `token_reservations` per organization. Database triggers update the sum, also when a deletion
 * cascades.
 */
export const tokenTotals = quarry.table('token_totals', {
  organizationId: organizationIdColumn().primaryKey(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
});

/**
 * Stores per organization the number of rows in `token_reservations` with more than 0 tokens. Database triggers update
 * the number.
 */
export const storedDocumentTotals = quarry.table('stored_document_totals', {
  organizationId: organizationIdColumn().primaryKey(),
  documents: bigint('documents', { mode: 'number' }).notNull(),
});
