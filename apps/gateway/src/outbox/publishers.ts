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

/** Puts rows of the outbox into their queue, or none of them where it refuses one. @throws as `Producer.addAll` */
export type Publish = (rows: readonly OutboxRow[]) => Promise<void>;

/** By the name of the queue. Every queue that the gateway writes jobs for is here. */
export function openPublishers(queues: Pick<Queues, 'producer'>): ReadonlyMap<string, Publish> {
  return new Map([
    publisherTo(queues, ingestionQueue),
    publisherTo(queues, crawlQueue),
    publisherTo(queues, catalogQueue),
    publisherTo(queues, webhookQueue),
  ]);
}

function publisherTo<Jobs extends JobPayloads>(
  queues: Pick<Queues, 'producer'>,
  contract: QueueContract<Jobs>,
): readonly [string, Publish] {
  const producer = queues.producer(contract);
  const publish: Publish = async (rows) => {
    try {
      await addAll(producer, rows);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      await addAll(producer, rows.map(toThisVersion(contract)));
    }
  };
  return [contract.name, publish];
}

async function addAll<Jobs extends JobPayloads>(producer: Producer<Jobs>, rows: readonly OutboxRow[]): Promise<void> {
  // The producer parses name and payload: a row is what the outbox says it is, or is refused there.
  await producer.addAll(rows.map((row) => ({ name: row.name, payload: row.payload, ...traceOf(row) }) as NewJob<Jobs>));
}

/** Drops the fields that a gateway of another version has written and this one does not know, as consumers do. */
function toThisVersion<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): (row: OutboxRow) => OutboxRow {
  const shapes = new Map<string, Shape<object>>();
  for (const name in contract.jobs) shapes.set(name, contract.jobs[name].payload);
  return (row) => {
    const shape = shapes.get(row.name);
    return shape === undefined ? row : { ...row, payload: parse(shape, row.payload, 'ignore') };
  };
}

/** The job goes on from its time in the outbox, which is a part of the trace of the request that wrote it. */
function traceOf({ queue, name, traceparent, createdAt }: OutboxRow): { readonly traceparent?: TraceParent } {
  if (traceparent === null) return {};
  const attributes = { 'messaging.destination.name': queue, 'quarry.job': name };
  return { traceparent: noteSpan('outbox', traceparent, createdAt, attributes) };
}
