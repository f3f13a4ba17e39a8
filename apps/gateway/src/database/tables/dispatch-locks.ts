import { text } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/** Locks of the queues, so that one gateway at a time fills the free places of a queue. */
export const dispatchLocks = quarry.table('dispatch_locks', {
  queue: text('queue').primaryKey(),
  /** A lock of a gateway that was killed ends at this time. */
  lockedUntil: timeColumn('locked_until').notNull(),
});
