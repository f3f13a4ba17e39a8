import { index, uuid } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { timeColumn, quarry } from './quarry-schema.js';

/** Stores the ids of removed datasources whose texts must still be erased from the sources of stored answers. */
export const sourceErasures = quarry.table(
  'source_erasures',
  {
    datasourceId: uuid('datasource_id').primaryKey(),
    organizationId: organizationIdColumn(),
    requestedAt: timeColumn('requested_at').notNull(),
  },
  (table) => [
    index('source_erasures_of_organization').on(table.organizationId),
    index('source_erasures_oldest').on(table.requestedAt),
  ],
);
