import { bigint, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, quarry } from './quarry-schema.js';

/** Stores jobs in the transaction that writes their metadata. The relay publishes jobs to their queues and then deletes the rows. */
export const outbox = quarry.table('outbox', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Not a foreign key: the row must survive its organization. */
  organizationId: uuid('organization_id').notNull(),
  queue: text('queue').notNull(),
  name: text('name').notNull(),
  payload: jsonb('payload').$type<object>().notNull(),
  /** The trace context of the request that wrote the job (W3C Trace Context). */
  traceparent: text('traceparent'),
  /** Why the queue refused the job. A refused job stays in this table, so that operators can inspect it. Null: not refused. */
  refusal: text('refusal'),
  createdAt: createdAt(),
  /** Until this time, only the relay that has claimed the job may publish it. Null: no relay has claimed the job. */
  claimedUntil: moment('claimed_until'),
});

export type OutboxRow = typeof outbox.$inferSelect;
