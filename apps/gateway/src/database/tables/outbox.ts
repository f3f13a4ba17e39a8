import { bigint, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, quarry } from './quarry-schema.js';

/** Jobs that are written in the same transaction as their metadata. The relay publishes and then deletes them. */
export const outbox = quarry.table('outbox', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Not a foreign key: the row must survive its organization. */
  organizationId: uuid('organization_id').notNull(),
  queue: text('queue').notNull(),
  name: text('name').notNull(),
  payload: jsonb('payload').$type<object>().notNull(),
  /** The position of the request in its trace. */
  traceparent: text('traceparent'),
  /** Why its queue refused the job. The row stays, so that operators can inspect it. */
  refusal: text('refusal'),
  createdAt: createdAt(),
  /** Until this time, the relay that has claimed the job publishes it. Null: no relay has. */
  claimedUntil: moment('claimed_until'),
});

export type OutboxRow = typeof outbox.$inferSelect;
