import { text, uuid } from 'drizzle-orm/pg-core';
import { moment, quarry } from './quarry-schema.js';

/**
 * Blobs that nothing refers to, or soon will not: an upload is written down here before its first byte and taken out by the
 * transaction that uses it, so that no crash leaves bytes behind.
 */
export const discardedBlobs = quarry.table('discarded_blobs', {
  key: text('key').primaryKey(),
  /** No reference: what is to be done outlives the organization it is done for. */
  organizationId: uuid('organization_id').notNull(),
  /** A run of this datasource may still read it: it goes once the datasource is settled. */
  datasourceId: uuid('datasource_id'),
  removeAfter: moment('remove_after').notNull(),
});
