import { bigint, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { quarry } from './quarry-schema.js';

/**
 * Stores totals of the rows in `documents` and `token_reservations` per datasource, so that the gateway reads only one
 * row when a run ends. Database triggers update the totals with each statement, also when a deletion cascades. Files,
 * texts and datasources without such rows have no row in this table.
 */
export const documentTotals = quarry.table('document_totals', {
  datasourceId: uuid('datasource_id')
    .primaryKey()
    .references(() => datasources.id, { onDelete: 'cascade' }),
  documents: bigint('documents', { mode: 'number' }).notNull().default(0),
  /**
   * Number of documents with stored fragments, or with the outcome `indexed` or `unchanged`: see `MAY_HAVE_FRAGMENTS`.
   */
  storedDocuments: bigint('stored_documents', { mode: 'number' }).notNull().default(0),
  fragments: bigint('fragments', { mode: 'number' }).notNull().default(0),
  storedTokens: bigint('stored_tokens', { mode: 'number' }).notNull().default(0),
  /**
   * Sum of the token reservations of the datasource's documents. Equals `storedTokens` if all documents have settled.
   */
  reservedTokens: bigint('reserved_tokens', { mode: 'number' }).notNull().default(0),
});
