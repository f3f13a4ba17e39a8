import { index, text, uuid } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores the keys of blobs that the watchdog must remove. An upload inserts the key of its blob before it writes the
 * first byte. The transaction that starts to use the blob deletes the key. So the watchdog also removes the blob of an
 * upload that crashed.
 */
export const discardedBlobs = quarry.table(
  'discarded_blobs',
  {
    key: text('key').primaryKey(),
    /** No foreign key, because the row must survive the deletion of its organization. */
    organizationId: uuid('organization_id').notNull(),
    /**
     * The datasource whose run may still read the blob. The blob is removed once that datasource has no run in
     * progress. Null: no run reads the blob.
     */
    datasourceId: uuid('datasource_id'),
    removeAfter: timeColumn('remove_after').notNull(),
  },
  (table) => [
    index('discarded_blobs_due').on(table.removeAfter),
    index('discarded_blobs_of_datasource').on(table.datasourceId),
  ],
);
