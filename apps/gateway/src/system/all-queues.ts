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

/** A job queue whose state can be read. */
export interface ObservedQueue {
  readonly name: string;
  countJobs(): Promise<QueueDepth>;
  /** Returns the time at which the waiting job that starts next was added to the queue. Undefined: no job waits. */
  findNextJobTime(): Promise<Date | undefined>;
  /** Returns the number of jobs of this queue that all connected consumers together can run at once. */
  capacity(): Promise<number>;
}

/** Lists all queues of an installation. */
export function listAllQueues(queues: Queues): readonly ObservedQueue[] {
  const observeQueue = <Jobs extends JobPayloads>(contract: QueueContract<Jobs>): ObservedQueue => ({
    name: contract.name,
    countJobs: async () => queues.countJobs(contract),
    findNextJobTime: async () => queues.findNextJobTime(contract),
    capacity: async () => queues.getCapacity(contract),
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
