import { bigint, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { inheritedOrganizationId, organizationId } from './organizations.js';
import { quarry } from './quarry-schema.js';

/** Tokens per document: those that are stored, or those that a run in progress may store. */
export const tokenReservations = quarry.table(
  'token_reservations',
  {
    organizationId: inheritedOrganizationId(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    documentKey: text('document_key').notNull(),
    tokens: bigint('tokens', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.datasourceId, table.documentKey] })],
);

/** Sum of the reservations of an organization. Triggers maintain it, also when a deletion cascades. */
export const tokenTotals = quarry.table('token_totals', {
  organizationId: organizationId().primaryKey(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
});
