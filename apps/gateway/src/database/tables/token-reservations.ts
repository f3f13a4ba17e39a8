import { bigint, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { datasources } from './datasources.js';
import { organizationId } from './organizations.js';
import { quarry } from './quarry-schema.js';

/** The tokens of each document: what is stored of it, or what a run that is under way may store. */
export const tokenReservations = quarry.table(
  'token_reservations',
  {
    organizationId: organizationId(),
    datasourceId: uuid('datasource_id')
      .notNull()
      .references(() => datasources.id, { onDelete: 'cascade' }),
    documentKey: text('document_key').notNull(),
    tokens: bigint('tokens', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.datasourceId, table.documentKey] })],
);

/** The sum of an organization's reservations: triggers keep it, also when a removal cascades. */
export const tokenTotals = quarry.table('token_totals', {
  organizationId: organizationId().primaryKey(),
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
});
