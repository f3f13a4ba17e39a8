import { index, uuid } from 'drizzle-orm/pg-core';
import { inheritedOrganizationId } from './organizations.js';
import { moment, quarry } from './quarry-schema.js';

/** Removed datasources whose text is still to be erased from the sources of stored answers. */
export const sourceErasures = quarry.table(
  'source_erasures',
  {
    datasourceId: uuid('datasource_id').primaryKey(),
    organizationId: inheritedOrganizationId(),
    requestedAt: moment('requested_at').notNull(),
  },
  (table) => [index('source_erasures_oldest').on(table.requestedAt)],
);
