import {
  catalogQueue,
  crawlQueue,
  ingestionQueue,
  type JobPayloads,
  type QueueContract,
  webhookQueue,
} from '@quarry/contracts';
import type { NewJob, Producer, QueueDepth, Queues } from '@quarry/queue';
import { type Log, recordSpan, type TraceParent } from '@quarry/service-kit';
import { parse, type Shape, ValidationError } from '@quarry/validation';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';
import { deletePublishedJobs, releaseJobClaims } from './waiting-jobs.js';

/** A queue that the dispatcher fills. */
export interface DispatchedQueue {
  readonly name: string;
  readonly publish: Publish;
  readonly depth: () => Promise<QueueDepth>;
  /** Returns the number of jobs that the consumers of the queue can run at once. 0: no consumer is connected. */
  readonly capacity: () => Promise<number>;
  /** Returns the number of waiting and running jobs per organization. */
  readonly countByOrganization: () => Promise<ReadonlyMap<string, number>>;
  /**
   * Returns the number of waiting, running and delayed jobs per organization. Undefined if there are too many such jobs
   * to count them.
   */
  readonly countUnfinishedByOrganization: () => Promise<ReadonlyMap<string, number> | undefined>;
  /** Returns the number of waiting jobs that start before the job with this id. Undefined if that job does not wait. */
  readonly countWaitingBefore: (id: string) => Promise<number | undefined>;
  /** True if the jobs of the queue send requests to servers of customers, which may be slow. */
  readonly waitsForExternalServers: boolean;
}

/** Names of the queues whose jobs wait in the outbox until the dispatcher publishes them. */
export const DISPATCHED_QUEUES = [ingestionQueue.name, crawlQueue.name, catalogQueue.name];

/** Lists the queues that the dispatcher fills from the outbox. */
export function listDispatchedQueues(queues: Queues): readonly DispatchedQueue[] {
  return [
    createDispatchedQueue(queues, ingestionQueue, false),
    createDispatchedQueue(queues, crawlQueue, true),
    createDispatchedQueue(queues, catalogQueue, true),
    // Only earlier versions write deliveries to the outbox. During an upgrade, such jobs can still wait there.
    createDispatchedQueue(queues, webhookQueue, true),
  ];
}

/** Describes jobs whose payloads contain the id of an organization. All jobs of the gateway have such payloads. */
type OwnedJobs = { readonly [name: string]: { readonly organizationId: string } };

/**
 * Maximum number of jobs of a queue that are listed. A queue contains fewer jobs, because the dispatcher publishes only
 * as many as the queue has room for.
 */
const MAX_LISTED = 2_000;

function createDispatchedQueue<Jobs extends OwnedJobs>(
  queues: Queues,
  contract: QueueContract<Jobs>,
  waitsForExternalServers: boolean,
): DispatchedQueue {
  return {
    name: contract.name,
    publish: createQueuePublisher(queues, contract),
    depth: () => queues.countJobs(contract),
    capacity: () => queues.getCapacity(contract),
    countByOrganization: async () => countJobsByOrganization(await queues.listUnfinished(contract, MAX_LISTED)),
    countUnfinishedByOrganization: async () => {
      const { waiting, active, delayed } = await queues.countJobs(contract);
      if (Math.max(waiting, active, delayed) > MAX_LISTED) return undefined;
      return countJobsByOrganization(await queues.listUnfinished(contract, MAX_LISTED, { withDelayed: true }));
    },
    countWaitingBefore: (id) => queues.countWaitingBefore(contract, id, MAX_LISTED),
    waitsForExternalServers,
  };
}

function countJobsByOrganization(
  jobs: readonly { readonly payload: { readonly organizationId: string } }[],
): ReadonlyMap<string, number> {
  const owners = Map.groupBy(jobs, ({ payload }) => payload.organizationId);
  return new Map([...owners].map(([organizationId, own]) => [organizationId, own.length]));
}

/** The parts of the gateway that `publishJobs` needs. */
interface PublishingContext {
  readonly db: Queries;
  readonly log: Log;
}

/**
 * Publishes claimed jobs to their queue, and deletes them from the outbox. Publishing a job twice changes nothing,
 * because the id of the job is derived from its payload.
 *
 * @throws when the queue or the database is unavailable. Unpublished jobs stay in the outbox, and can be claimed at
 *   once.
 */
export async function publishJobs(
  publishing: PublishingContext,
  publish: Publish,
  rows: readonly OutboxRow[],
): Promise<void> {
  if (rows.length === 0) return;
  try {
    await deletePublishedRows(publishing, rows, await publishToQueue(publish, rows));
  } catch (error) {
    // If the database is unavailable, the claims cannot be released, but they expire.
    await releaseJobClaims(publishing.db, rows).catch(() => undefined);
    throw error;
  }
}

/** Deletes the published rows from the outbox. Refused rows stay there, with the reason of the refusal. */
async function deletePublishedRows(
  { db, log }: PublishingContext,
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
  await deletePublishedJobs(
    db,
    rows.filter((row) => !refused.has(row)),
  );
}

/** Publishes rows to one queue. @returns the rows that the queue refuses, each with the reason */
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

/**
 * Returns true if a payload violates the contract of its queue. Every further attempt would fail for the same reason.
 */
function isContractViolation(error: unknown): error is ValidationError {
  return error instanceof ValidationError;
}

/**
 * Publishes outbox rows to one queue: all rows, or no row if the queue refuses one of them.
 *
 * @throws the errors of `Producer.addAll`
 */
export type Publish = (rows: readonly OutboxRow[]) => Promise<void>;

/** Creates the publisher of a queue. */
function createQueuePublisher<Jobs extends JobPayloads>(
  queues: Pick<Queues, 'createProducer'>,
  contract: QueueContract<Jobs>,
): Publish {
  const producer = queues.createProducer(contract);
  return async (rows) => {
    try {
      await addRowsToQueue(producer, rows);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      await addRowsToQueue(producer, rows.map(createPayloadParser(contract)));
    }
  };
}

async function addRowsToQueue<Jobs extends JobPayloads>(
  producer: Producer<Jobs>,
  rows: readonly OutboxRow[],
): Promise<void> {
  // The producer parses name and payload, and refuses a row that violates the contract of the queue.
  await producer.addAll(
    rows.map((row) => ({ name: row.name, payload: row.payload, ...recordOutboxSpan(row) }) as NewJob<Jobs>),
  );
}

/**
 * Creates a function that parses the payload of a row. The function removes unknown fields, which a gateway of another
 * version may have written.
 */
function createPayloadParser<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): (row: OutboxRow) => OutboxRow {
  const shapes = new Map<string, Shape<object>>();
  for (const name in contract.jobs) shapes.set(name, contract.jobs[name].payload);
  return (row) => {
    const shape = shapes.get(row.name);
    return shape === undefined ? row : { ...row, payload: parse(shape, row.payload, 'ignore') };
  };
}

/**
 * Records a span for the time that a job spent in the outbox, in the trace of the request that wrote the job. Returns
 * the trace context of the span.
 */
function recordOutboxSpan({ queue, name, traceparent, createdAt }: OutboxRow): { readonly traceparent?: TraceParent } {
  if (traceparent === null) return {};
  const attributes = { 'messaging.destination.name': queue, 'quarry.job': name };
  return { traceparent: recordSpan('outbox', traceparent, createdAt, attributes) };
}
