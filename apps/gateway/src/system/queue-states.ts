import type { SystemQueue } from '@quarry/contracts';
import type { Queues } from '@quarry/queue';
import { listAllQueues, type ObservedQueue } from './all-queues.js';
import { createBoundedRead } from './bounded-read.js';

/** Creates a function that reads the state of each queue. A queue that does not respond is `unavailable`. */
export function createQueueStateReader(queues: Queues, now: () => Date): () => Promise<SystemQueue[]> {
  const readers = listAllQueues(queues).map((queue) => {
    const read = createBoundedRead(async () => readQueueState(queue, now));
    return async (): Promise<SystemQueue> => {
      const { value, reason } = await read();
      if (value !== undefined) return { name: queue.name, status: 'available', reason, ...value };
      return { name: queue.name, status: 'unavailable', reason, ...UNKNOWN };
    };
  });
  return async () => Promise.all(readers.map(async (read) => read()));
}

type QueueNumbers = Omit<SystemQueue, 'name' | 'status' | 'reason'>;

const UNKNOWN: QueueNumbers = {
  ...{ waiting: null, active: null, delayed: null, failed: null },
  ...{ capacity: null, oldestSeconds: null },
};

async function readQueueState(queue: ObservedQueue, now: () => Date): Promise<QueueNumbers> {
  const [{ waiting, active, delayed, failed }, since, capacity] = await Promise.all([
    queue.countJobs(),
    queue.findNextJobTime(),
    queue.capacity(),
  ]);
  const oldestSeconds = since === undefined ? null : Math.max(0, (now().getTime() - since.getTime()) / 1_000);
  return { waiting, active, delayed, failed, capacity, oldestSeconds };
}
