import { parse, type Shape, ValidationError } from '@quarry/validation';
import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import {
  catalogQueue,
  crawlQueue,
  ingestionQueue,
  type JobPayloads,
  type QueueContract,
  webhookQueue,
} from '@quarry/contracts';
import type { NewJob, Producer, Queues } from '@quarry/queue';
import { type Log, recordSpan, type TraceParent } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';

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

/** Publishes outbox rows to one queue: all of them, or none if the queue refuses one. @throws the errors of `Producer.addAll` */
export type Publish = (rows: readonly OutboxRow[]) => Promise<void>;

/** Creates a publisher for each queue of the gateway, by queue name. */
export function openPublishers(queues: Pick<Queues, 'producer'>): ReadonlyMap<string, Publish> {
  return new Map([
    createPublisher(queues, ingestionQueue),
    createPublisher(queues, crawlQueue),
    createPublisher(queues, catalogQueue),
    createPublisher(queues, webhookQueue),
  ]);
}

function createPublisher<Jobs extends JobPayloads>(
  queues: Pick<Queues, 'producer'>,
  contract: QueueContract<Jobs>,
): readonly [string, Publish] {
  const producer = queues.producer(contract);
  const publish: Publish = async (rows) => {
    try {
      await addAll(producer, rows);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      await addAll(producer, rows.map(createRowParser(contract)));
    }
  };
  return [contract.name, publish];
}

async function addAll<Jobs extends JobPayloads>(producer: Producer<Jobs>, rows: readonly OutboxRow[]): Promise<void> {
  // The producer parses name and payload, and refuses a row that violates its contract.
  await producer.addAll(
    rows.map((row) => ({ name: row.name, payload: row.payload, ...buildTraceOptions(row) }) as NewJob<Jobs>),
  );
}

/** Returns a function that removes unknown fields from rows that a gateway of another version wrote. */
function createRowParser<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): (row: OutboxRow) => OutboxRow {
  const shapes = new Map<string, Shape<object>>();
  for (const name in contract.jobs) shapes.set(name, contract.jobs[name].payload);
  return (row) => {
    const shape = shapes.get(row.name);
    return shape === undefined ? row : { ...row, payload: parse(shape, row.payload, 'ignore') };
  };
}

/** Records the time in the outbox as a span of the request that wrote the job, and returns its trace context. */
function buildTraceOptions({ queue, name, traceparent, createdAt }: OutboxRow): { readonly traceparent?: TraceParent } {
  if (traceparent === null) return {};
  const attributes = { 'messaging.destination.name': queue, 'quarry.job': name };
  return { traceparent: recordSpan('outbox', traceparent, createdAt, attributes) };
}
