import {
  catalogQueue,
  crawlQueue,
  datasourceStatusQueue,
  ingestionQueue,
  type JobPayloads,
  pagePictureQueue,
  type QueueContract,
  webhookQueue,
} from '@quarry/contracts';
import type { QueueDepth, Queues } from '@quarry/queue';

/** A queue whose state can be read. */
export interface ObservedQueue {
  readonly name: string;
  depth(): Promise<QueueDepth>;
  /** Returns the time at which the next waiting job was added; undefined if no job waits. */
  waitingSince(): Promise<Date | undefined>;
  /** Returns the number of jobs that the connected consumers can run at once. */
  capacity(): Promise<number>;
}

/** Lists all queues of an installation. */
export function listAllQueues(queues: Queues): readonly ObservedQueue[] {
  const observeQueue = <Jobs extends JobPayloads>(contract: QueueContract<Jobs>): ObservedQueue => ({
    name: contract.name,
    depth: async () => queues.depth(contract),
    waitingSince: async () => queues.waitingSince(contract),
    capacity: async () => queues.capacity(contract),
  });
  return [
    observeQueue(ingestionQueue),
    observeQueue(crawlQueue),
    observeQueue(catalogQueue),
    observeQueue(datasourceStatusQueue),
    observeQueue(webhookQueue),
    observeQueue(pagePictureQueue),
  ];
}
