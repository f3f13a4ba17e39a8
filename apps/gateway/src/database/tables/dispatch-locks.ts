import { jsonb, text } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/** Locks of the queues, so that one gateway at a time fills the free places of a queue, and the state that gateways share. */
export const dispatchLocks = quarry.table('dispatch_locks', {
  queue: text('queue').primaryKey(),
  /** A lock of a gateway that was killed ends at this time. */
  lockedUntil: timeColumn('locked_until').notNull(),
  /** A `DispatchState`. Null until a gateway has filled the queue. */
  state: jsonb('state').$type<object>(),
});
