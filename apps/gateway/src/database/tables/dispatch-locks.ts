import { text } from 'drizzle-orm/pg-core';
import { moment, quarry } from './quarry-schema.js';

/** Locks of the queues, so that one gateway at a time fills the free places of a queue. */
export const dispatchLocks = quarry.table('dispatch_locks', {
  queue: text('queue').primaryKey(),
  /** A lock of a gateway that was killed ends at this time. */
  lockedUntil: moment('locked_until').notNull(),
});
