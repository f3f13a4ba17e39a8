import { isNotNull, isNull, sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores jobs that wait for a place in their queue. Jobs are written in the same transaction as their metadata. The
 * dispatcher publishes a job and then deletes its row.
 */
export const outbox = quarry.table(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** No foreign key, because the row must survive the deletion of its organization. */
    organizationId: uuid('organization_id').notNull(),
    queue: text('queue').notNull(),
    name: text('name').notNull(),
    /** Index of the job's priority class in `JOB_CLASSES`. */
    class: smallint('class').notNull().default(1),
    /** The expected work of the job, in units: a small document, a page or a request has the cost 1. */
    cost: integer('cost').notNull().default(1),
    payload: jsonb('payload').$type<object>().notNull(),
    /** The W3C trace context of the request that wrote the job. Null: the request is not traced. */
    traceparent: text('traceparent'),
    /** Reason for which the queue refused the job, or null. A refused row stays, so that operators can inspect it. */
    refusal: text('refusal'),
    createdAt: createdAtColumn(),
    /** End of the claim of the dispatcher that publishes the job. Null: no dispatcher has claimed it. */
    claimedUntil: timeColumn('claimed_until'),
  },
  (table) => [
    index('outbox_by_lane').on(table.queue, table.organizationId, table.class, table.id).where(isNull(table.refusal)),
    index('outbox_refused').on(table.createdAt).where(isNotNull(table.refusal)),
    // The index contains a hash of the document key, because a document key can be too long for an index entry.
    index('outbox_by_run').on(sql`(${table.payload} ->> 'runId')`, sql`md5(${table.payload} ->> 'documentKey')`),
  ],
);

export type OutboxRow = typeof outbox.$inferSelect;
