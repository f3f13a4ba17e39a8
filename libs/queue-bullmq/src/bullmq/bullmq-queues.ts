import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { readJob } from '@quarry/queue';
import type {
  Handlers,
  JobWatch,
  QueueLog,
  Pacing,
  Consumer,
  ConsumerOptions,
  JobState,
  Producer,
  QueueDepth,
  Queues,
  ReadableJob,
} from '@quarry/queue';
import { createBullmqConsumer } from './bullmq-consumer.js';
import { createBullmqProducer } from './bullmq-producer.js';
import { createRateLimitedErrorLogger } from './error-log.js';
import type { BullQueue, QueueServer } from './queue-server.js';

export interface BullmqQueuesSettings {
  readonly server: QueueServer;
  readonly log: QueueLog;
  readonly watch: JobWatch | undefined;
  readonly takeoverMs: number;
  readonly maxStalls: number;
}

/**
 * Number of waiting jobs that are read to find the oldest job. One is not enough, because the oldest jobs may start
 * between counting and reading the jobs.
 */
const OLDEST_JOBS = 20;

export class BullmqQueues implements Queues {
  readonly #settings: BullmqQueuesSettings;
  readonly #queues = new Map<string, BullQueue>();
  readonly #consumers: Consumer[] = [];

  constructor(settings: BullmqQueuesSettings) {
    this.#settings = settings;
  }

  get pacing(): Pacing {
    return this.#settings.server.pacing;
  }

  createProducer<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Producer<Jobs> {
    return createBullmqProducer(contract, this.#getOrOpenQueue(contract.name), this.#settings.server.batchFrom);
  }

  startConsumer<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    handlers: Handlers<Jobs>,
    options: ConsumerOptions<Jobs>,
  ): Consumer {
    const settings = {
      ...this.#settings,
      log: this.#createQueueLog(contract.name),
      queue: this.#getOrOpenQueue(contract.name),
    };
    const consumer = createBullmqConsumer(settings, contract, handlers, options);
    this.#consumers.push(consumer);
    return consumer;
  }

  async countJobs<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<QueueDepth> {
    const counts = await this.#getOrOpenQueue(contract.name).getJobCounts(
      'waiting',
      'delayed',
      'active',
      'completed',
      'failed',
    );
    const getStateCount = (state: string): number => counts[state] ?? 0;
    return {
      waiting: getStateCount('waiting'),
      delayed: getStateCount('delayed'),
      active: getStateCount('active'),
      completed: getStateCount('completed'),
      failed: getStateCount('failed'),
    };
  }

  async getCapacity<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<number> {
    return this.#settings.server.consumers.getCapacity(contract.name);
  }

  async listUnfinished<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    limit: number,
    { withDelayed = false }: { readonly withDelayed?: boolean } = {},
  ): Promise<readonly ReadableJob<Jobs>[]> {
    const states: ('active' | 'waiting' | 'delayed')[] = [
      'active',
      'waiting',
      ...(withDelayed ? ['delayed' as const] : []),
    ];
    const jobs = await this.#getOrOpenQueue(contract.name).getJobs(states, 0, limit - 1);
    return jobs.map((job) => readJob(contract, job)).filter((job) => job.readable);
  }

  async countWaitingBefore<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    id: string,
    limit: number,
  ): Promise<number | undefined> {
    // If more than `limit` jobs wait, BullMQ on PostgreSQL returns the newest jobs. No position can be derived from
    // them.
    const ids = await this.#getOrOpenQueue(contract.name).getRanges(['waiting'], 0, limit, true);
    const position = ids.indexOf(id);
    return position === -1 || ids.length > limit ? undefined : position;
  }

  async findNextJobTime<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<Date | undefined> {
    const queue = this.#getOrOpenQueue(contract.name);
    const { waiting = 0 } = await queue.getJobCounts('waiting');
    if (waiting === 0) return undefined;
    // Reads the end of the list, because BullMQ on PostgreSQL cannot list the oldest jobs first. The last job of the
    // range is the oldest job that has not started meanwhile.
    const jobs = await queue.getJobs(['waiting'], Math.max(0, waiting - OLDEST_JOBS), waiting - 1);
    const oldest = jobs.at(-1);
    return oldest === undefined ? undefined : new Date(oldest.timestamp);
  }

  async findJobState<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    id: string,
  ): Promise<JobState | undefined> {
    const state = await this.#getOrOpenQueue(contract.name).getJobState(id);
    if (state === 'unknown') return undefined;
    return state === 'prioritized' || state === 'waiting-children' ? 'waiting' : state;
  }

  async ping(): Promise<void> {
    await this.#settings.server.ping();
  }

  async close(deadlineMs: number): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.close(deadlineMs)));
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#settings.server.close();
  }

  #getOrOpenQueue(name: string): BullQueue {
    const found = this.#queues.get(name);
    if (found !== undefined) return found;
    const queue = this.#settings.server.openQueue(name, createRateLimitedErrorLogger(this.#createQueueLog(name)));
    this.#queues.set(name, queue);
    return queue;
  }

  #createQueueLog(queue: string): QueueLog {
    return this.#settings.log.child({ queue });
  }
}
