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
  return { traceparent: noteSpan('outbox', traceparent, createdAt, attributes) };
}
