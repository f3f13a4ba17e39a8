import { catalogQueue, crawlQueue, ingestionQueue, type QueueContract, webhookQueue } from '@quarry/contracts';
import type { QueueDepth, Queues } from '@quarry/queue';
import { createPublisher, type Publish } from './publish-jobs.js';

/** A queue that the dispatcher fills. */
export interface DispatchedQueue {
  readonly name: string;
  readonly publish: Publish;
  readonly depth: () => Promise<QueueDepth>;
  /** Returns the number of jobs that its consumers can run at once. 0: none is known. */
  readonly capacity: () => Promise<number>;
  /** Returns the number of waiting and running jobs per organization. */
  readonly countByOrganization: () => Promise<ReadonlyMap<string, number>>;
  /** True when its jobs wait for servers of customers, which may be slow. */
  readonly waitsForOutsiders: boolean;
}

/** Names of the queues whose jobs wait in the outbox. */
export const DISPATCHED_QUEUES = [ingestionQueue.name, crawlQueue.name, catalogQueue.name];

/** Lists the queues whose jobs the gateway writes. */
export function listDispatchedQueues(queues: Queues): readonly DispatchedQueue[] {
  return [
    describeQueue(queues, ingestionQueue, false),
    describeQueue(queues, crawlQueue, true),
    describeQueue(queues, catalogQueue, true),
    describeQueue(queues, webhookQueue, true),
  ];
}

/** Every job of the gateway names its organization. */
type OwnedJobs = { readonly [name: string]: { readonly organizationId: string } };

/** Limits the number of listed jobs. The dispatcher never puts as many into a queue. */
const MAX_LISTED = 2_000;

function describeQueue<Jobs extends OwnedJobs>(
  queues: Queues,
  contract: QueueContract<Jobs>,
  waitsForOutsiders: boolean,
): DispatchedQueue {
  return {
    name: contract.name,
    publish: createPublisher(queues, contract),
    depth: () => queues.depth(contract),
    capacity: () => queues.capacity(contract),
    countByOrganization: async () => {
      const jobs = await queues.listUnfinished(contract, MAX_LISTED);
      const owners = Map.groupBy(jobs, ({ payload }) => payload.organizationId);
      return new Map([...owners].map(([organizationId, own]) => [organizationId, own.length]));
    },
    waitsForOutsiders,
  };
}
