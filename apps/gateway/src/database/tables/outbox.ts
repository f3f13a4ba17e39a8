import { bigint, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, quarry } from './quarry-schema.js';

/** Jobs written in the same transaction as the metadata they belong to; the relay publishes and then removes them. */
export const outbox = quarry.table('outbox', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** No reference: what is to be done outlives the organization it is done for. */
  organizationId: uuid('organization_id').notNull(),
  queue: text('queue').notNull(),
  name: text('name').notNull(),
  payload: jsonb('payload').$type<object>().notNull(),
  /** Where the request that wrote it is in its trace. */
  traceparent: text('traceparent'),
  /** Why its queue refused the job. The row stays, so that operators can inspect it. */
  refusal: text('refusal'),
  createdAt: createdAt(),
  /** Until then the relay that has claimed the job publishes it. Null: none has. */
  claimedUntil: moment('claimed_until'),
});

export type OutboxRow = typeof outbox.$inferSelect;
