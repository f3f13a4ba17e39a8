import { jsonb, text } from 'drizzle-orm/pg-core';
import { timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores for each queue a lock and the state of the dispatchers of all gateways. The lock allows only one gateway at a
 * time to publish jobs to the queue.
 */
export const dispatchLocks = quarry.table('dispatch_locks', {
  queue: text('queue').primaryKey(),
  /** The time at which the lock ends, even if the gateway that holds it was killed. */
  lockedUntil: timeColumn('locked_until').notNull(),
  /** A `DispatchState`. Null until a gateway has published jobs to the queue. */
  state: jsonb('state').$type<object>(),
});
