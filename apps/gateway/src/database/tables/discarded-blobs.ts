import { index, text, uuid } from 'drizzle-orm/pg-core';
import { moment, quarry } from './quarry-schema.js';

/**
 * Blobs that nothing refers to, or soon will not. An upload is recorded here before its first byte, and removed by the
 * transaction that uses it, so that a crash leaves no blob behind.
 */
export const discardedBlobs = quarry.table(
  'discarded_blobs',
  {
    key: text('key').primaryKey(),
    /** Not a foreign key: the row must survive its organization. */
    organizationId: uuid('organization_id').notNull(),
    /** A run of this datasource may still read the blob, which is removed once the datasource is settled. */
    datasourceId: uuid('datasource_id'),
    removeAfter: moment('remove_after').notNull(),
  },
  (table) => [
    index('discarded_blobs_due').on(table.removeAfter),
    index('discarded_blobs_of_datasource').on(table.datasourceId),
  ],
);
