import type { Log } from '@quarry/service-kit';
import { ValidationError } from '@quarry/validation';
import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';
import type { Publish } from './publishers.js';

export interface Relaying {
  readonly db: Queries;
  readonly log: Log;
  readonly publishers: ReadonlyMap<string, Publish>;
}

/** Maximum number of outbox rows that are published together. */
export const BATCH = 200;
/** Duration of a claim in seconds. Afterwards, another relay publishes the rows of a relay that crashed. */
const LEASE_SECONDS = 10;

/**
 * Publishes the oldest jobs of the outbox, and deletes them. The rows are claimed for a limited time first, so that no
 * transaction is open while a queue answers. Relays that work at the same time claim different rows. A job that is published
 * twice changes nothing, because its id is derived from its payload.
 *
 * @returns the number of rows that were published or refused
 * @throws when a queue or the database is unavailable; unpublished rows stay, and can be claimed at once
 */
export async function publishBatch(relaying: Relaying): Promise<number> {
  const rows = await claimRows(relaying.db);
  const unpublished = new Set(rows);
  try {
    for (const [queue, jobs] of Map.groupBy(rows, (row) => row.queue)) {
      const publish = relaying.publishers.get(queue) ?? createUnknownQueuePublisher(queue);
      await settleRows(relaying, jobs, await publishToQueue(publish, jobs));
      for (const job of jobs) unpublished.delete(job);
    }
  } catch (error) {
    // If the database is unavailable, the claims expire.
    await releaseRows(relaying.db, [...unpublished]).catch(() => undefined);
    throw error;
  }
  return rows.length;
}

/** Claims the oldest rows that no other relay has claimed, by the database's clock. @returns the rows, oldest first */
async function claimRows(db: Queries): Promise<readonly OutboxRow[]> {
  const isFree = or(isNull(outbox.claimedUntil), lt(outbox.claimedUntil, sql`now()`));
  // A materialized query runs once, so that its limit holds.
  const oldest = db.$with('oldest').as(
    db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isNull(outbox.refusal), isFree))
      .orderBy(asc(outbox.id))
      .limit(BATCH)
      .for('update', { skipLocked: true }),
  );
  const rows = await db
    .with(oldest)
    .update(outbox)
    .set({ claimedUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(inArray(outbox.id, db.select({ id: oldest.id }).from(oldest)))
    .returning();
  return rows.toSorted((a, b) => a.id - b.id);
}

async function releaseRows(db: Queries, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length > 0) await db.update(outbox).set({ claimedUntil: null }).where(buildRowCondition(rows));
}

/** Deletes the published rows from the outbox. Stores the reason of each refused row, which stays. */
async function settleRows(
  { db, log }: Relaying,
  rows: readonly OutboxRow[],
  refused: ReadonlyMap<OutboxRow, string>,
): Promise<void> {
  for (const [row, reason] of refused) {
    const { id, queue, name: job } = row;
    log.error(
      { outboxId: id, queue, job, reason },
      'a job was refused by its queue; it stays in the outbox and is not published again',
    );
    await db.update(outbox).set({ refusal: reason }).where(eq(outbox.id, id));
  }
  const published = rows.filter((row) => !refused.has(row));
  if (published.length > 0) await db.delete(outbox).where(buildRowCondition(published));
}

function buildRowCondition(rows: readonly OutboxRow[]) {
  return inArray(
    outbox.id,
    rows.map(({ id }) => id),
  );
}

/** Publishes rows to one queue. @returns the reasons of the rows that the queue refuses */
async function publishToQueue(publish: Publish, rows: readonly OutboxRow[]): Promise<ReadonlyMap<OutboxRow, string>> {
  try {
    await publish(rows);
    return new Map();
  } catch (error) {
    if (!isContractViolation(error)) throw error;
    if (rows.length === 1) return new Map(rows.map((row) => [row, error.message]));
  }
  const refused = new Map<OutboxRow, string>();
  for (const row of rows) for (const [one, reason] of await publishToQueue(publish, [row])) refused.set(one, reason);
  return refused;
}

/** Returns true if the payload violates the contract of its queue, so that a retry cannot succeed. */
function isContractViolation(error: unknown): error is Error {
  return error instanceof ValidationError || error instanceof UnknownQueue;
}

class UnknownQueue extends Error {}

function createUnknownQueuePublisher(queue: string): Publish {
  return async () => Promise.reject(new UnknownQueue(`there is no queue ${queue}`));
}
