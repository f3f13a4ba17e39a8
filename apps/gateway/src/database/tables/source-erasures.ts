import { index, uuid } from 'drizzle-orm/pg-core';
import { organizationId } from './organizations.js';
import { moment, quarry } from './quarry-schema.js';

/** Stores the ids of removed datasources whose texts must still be erased from the sources of stored answers. */
export const sourceErasures = quarry.table(
  'source_erasures',
  {
    datasourceId: uuid('datasource_id').primaryKey(),
    organizationId: organizationId(),
    requestedAt: moment('requested_at').notNull(),
  },
  (table) => [
    index('source_erasures_of_organization').on(table.organizationId),
    index('source_erasures_oldest').on(table.requestedAt),
  ],
);
