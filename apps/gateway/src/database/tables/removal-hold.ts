import { boolean } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores in its only row until when no deleted content is removed from the other stores, because a backup is in
 * progress. The operator writes the row with the SQL functions `hold_removals` and `release_removals` of the migration.
 */
export const removalHold = quarry.table('removal_hold', {
  /** True in the only row. */
  id: boolean('id').primaryKey().default(true),
  heldUntil: timeColumn('held_until').notNull(),
});
