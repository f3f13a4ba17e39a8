import {
  catalogQueue,
  crawlQueue,
  ingestionQueue,
  webhookQueue,
  type JobPayloads,
  type QueueContract,
} from '@quarry/contracts';
import type { NewJob, Producer, Queues } from '@quarry/queue';
import { noteSpan, type TraceParent } from '@quarry/service-kit';
import { parse, ValidationError, type Shape } from '@quarry/validation';
import type { OutboxRow } from '../database/tables/outbox.js';

/** Publishes rows of the outbox to their queue: all of them, or none when the queue refuses one. @throws as `Producer.addAll` */
export type Publish = (rows: readonly OutboxRow[]) => Promise<void>;

/** Maps the name of each queue of the gateway to its publisher. */
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
      await addAll(producer, rows.map(parseForThisVersion(contract)));
    }
  };
  return [contract.name, publish];
}

async function addAll<Jobs extends JobPayloads>(producer: Producer<Jobs>, rows: readonly OutboxRow[]): Promise<void> {
  // The producer parses name and payload, and refuses a row that violates its contract.
  await producer.addAll(
    rows.map((row) => ({ name: row.name, payload: row.payload, ...continueTrace(row) }) as NewJob<Jobs>),
  );
}

/** Drops the fields that a gateway of another version has written and this version does not know, as consumers do. */
function parseForThisVersion<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): (row: OutboxRow) => OutboxRow {
  const shapes = new Map<string, Shape<object>>();
  for (const name in contract.jobs) shapes.set(name, contract.jobs[name].payload);
  return (row) => {
    const shape = shapes.get(row.name);
    return shape === undefined ? row : { ...row, payload: parse(shape, row.payload, 'ignore') };
  };
}

/** Adds the time in the outbox to the trace of the request that wrote the job. */
function continueTrace({ queue, name, traceparent, createdAt }: OutboxRow): { readonly traceparent?: TraceParent } {
  if (traceparent === null) return {};
  const attributes = { 'messaging.destination.name': queue, 'quarry.job': name };
  return { traceparent: noteSpan('outbox', traceparent, createdAt, attributes) };
}
