import { jsonb, text } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores for each queue a lock and the state of its dispatchers, which the gateways share. The lock allows only one
 * gateway at a time to fill the free places of the queue.
 */
export const dispatchLocks = quarry.table('dispatch_locks', {
  queue: text('queue').primaryKey(),
  /** The lock ends at this time, even if the gateway that holds it was killed. */
  lockedUntil: timeColumn('locked_until').notNull(),
  /** A `DispatchState`. Null until a gateway has filled the queue. */
  state: jsonb('state').$type<object>(),
});
