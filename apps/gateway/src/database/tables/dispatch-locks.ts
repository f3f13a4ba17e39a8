import { jsonb, text } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores a lock per queue, so that one gateway at a time fills the free places of the queue, and the state of its
 * dispatcher, which the gateways share.
 */
export const dispatchLocks = quarry.table('dispatch_locks', {
  queue: text('queue').primaryKey(),
  /** The lock ends at this time, even if its gateway was killed. */
  lockedUntil: timeColumn('locked_until').notNull(),
  /** A `DispatchState`. Null until a gateway has filled the queue. */
  state: jsonb('state').$type<object>(),
});
