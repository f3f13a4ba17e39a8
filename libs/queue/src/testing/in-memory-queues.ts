import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { JobFailure, ReadableJob } from '../handlers.js';
import { createJobMaker } from '../job-maker.js';
import type { Producer, Queues } from '../queues.js';
import { readJob } from '../read-job.js';
import { createMemoryPacing } from './memory-pacing.js';
import { MemoryQueue } from './memory-queue.js';

export type AddedJob<Jobs extends JobPayloads> = ReadableJob<Jobs> & { readonly id: string; readonly delayMs: number };

/**
 * Describes queues for tests of handlers and producers. As on a server, producers and consumers parse payloads, ids are
 * unique, and failing jobs are retried until they fail permanently. Jobs run only during `runAllJobs`, without delays
 * and backoffs.
 */
export interface InMemoryQueues extends Queues {
  /** Returns the jobs that were added to a queue, in the order in which they were added. Contains each id once. */
  listAddedJobs<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): readonly AddedJob<Jobs>[];
  /** Returns the permanently failed jobs of a queue, in the order in which they were added. */
  listFailures<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): readonly JobFailure<Jobs>[];
  /**
   * Runs the waiting jobs of all queues that have a consumer, one after the other, until no job waits. Also runs the
   * jobs that these jobs add.
   *
   * @throws Error if a job does not end after 2,000 starts
   */
  runAllJobs(): Promise<void>;
}

/**
 * Creates queues in memory.
 * @param now returns the time of the pacing, in milliseconds
 * @param onDelay called with the delay of each `TryLater` in milliseconds, so that a test can advance its clock. The
 * queue skips the delay.
 */
export function createInMemoryQueues(
  now: () => number = Date.now,
  onDelay: (ms: number) => void = () => undefined,
): InMemoryQueues {
  const queues = new Map<string, MemoryQueue>();
  const getQueue = ({ name }: { readonly name: string }): MemoryQueue => {
    const queue = queues.get(name) ?? new MemoryQueue(name, onDelay);
    queues.set(name, queue);
    return queue;
  };
  return {
    pacing: createMemoryPacing(now),
    createProducer: (contract) => createMemoryProducer(contract, getQueue(contract)),
    startConsumer(contract, handlers, options) {
      const queue = getQueue(contract);
      queue.startConsumer(contract, handlers, options);
      return {
        close: async () => {
          queue.removeConsumer();
        },
      };
    },
    listAddedJobs: (contract) =>
      getQueue(contract).jobs.flatMap(({ id, name, data, delayMs }) => {
        const job = readJob(contract, { name, data });
        return job.readable ? [{ ...job, id, delayMs }] : [];
      }),
    listFailures: (contract) =>
      getQueue(contract).jobs.flatMap(({ name, data, state, failure }) =>
        state === 'failed' && failure !== undefined ? [{ ...readJob(contract, { name, data }), reason: failure }] : [],
      ),
    async runAllJobs() {
      while (await runNextJob([...queues.values()]));
    },
    countJobs: async (contract) => getQueue(contract).countJobs(),
    getCapacity: async (contract) => getQueue(contract).capacity,
    listUnfinished: async (contract, limit) =>
      getQueue(contract)
        .jobs.filter(({ state }) => state === 'active' || state === 'waiting')
        .slice(0, limit)
        .map((job) => readJob(contract, job))
        .filter((job) => job.readable),
    countWaitingBefore: async (contract, id, limit) => {
      const { waitingIds } = getQueue(contract);
      const position = waitingIds.indexOf(id);
      return position === -1 || waitingIds.length > limit ? undefined : position;
    },
    findNextJobTime: async (contract) =>
      getQueue(contract).jobs.some(({ state }) => state === 'waiting') ? new Date(0) : undefined,
    findJobState: async (contract, id) => getQueue(contract).jobs.find((job) => job.id === id)?.state,
    ping: async () => undefined,
    close: async () => undefined,
  };
}

function createMemoryProducer<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  queue: MemoryQueue,
): Producer<Jobs> {
  const newJob = createJobMaker(contract);
  return {
    add: async (name, payload, { delayMs = 0 } = {}) => queue.addJob({ ...newJob(name, payload), delayMs }),
    async addAll(jobs) {
      const carried = jobs.map(({ name, payload, delayMs = 0 }) => ({ ...newJob(name, payload), delayMs }));
      return carried.map((job) => queue.addJob(job));
    },
  };
}

/** Runs the next job of the first queue in which a job waits. @returns false if no job was waiting */
async function runNextJob(queues: readonly MemoryQueue[]): Promise<boolean> {
  for (const queue of queues) if (await queue.runNextJob()) return true;
  return false;
}
