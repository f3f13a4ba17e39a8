import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { FailureReason, Handlers, JobContext } from '../handlers.js';
import type { CarriedJob } from '../job-maker.js';
import type { ConsumerOptions, QueueDepth } from '../queues.js';
import { getRetrySettings } from '../read-job.js';
import { runJob, type Outcome } from '../run-job.js';
import { silentLog } from './silent-log.js';

export interface MemoryJob {
  readonly id: string;
  readonly name: string;
  /** The payload after it was serialized to JSON and parsed. */
  readonly data: unknown;
  readonly delayMs: number;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  attemptsMade: number;
  starts: number;
  failure: FailureReason | undefined;
}

interface MemoryConsumer {
  countAllowedAttempts(name: string): number;
  run(job: MemoryJob, context: JobContext): Promise<Outcome>;
}

/** Maximum number of starts of a job, so that a job that is retried without end does not block a test. */
const MAX_STARTS = 2_000;

export class MemoryQueue {
  readonly #name: string;
  readonly #jobs = new Map<string, MemoryJob>();
  readonly #waiting: MemoryJob[] = [];
  readonly #onDelay: (ms: number) => void;
  #consumer: MemoryConsumer | undefined;
  #capacity = 0;

  /**
   * Creates a queue in memory.
   * @param onDelay called with the delay in milliseconds of each job that a `TryLater` returns to the queue
   */
  constructor(name: string, onDelay: (ms: number) => void) {
    this.#name = name;
    this.#onDelay = onDelay;
  }

  /** Returns the concurrency of the consumer, or 0 if there is no consumer. */
  get capacity(): number {
    return this.#consumer === undefined ? 0 : this.#capacity;
  }

  get jobs(): readonly MemoryJob[] {
    return [...this.#jobs.values()];
  }

  /** Returns the ids of the waiting jobs, in the order in which they start. */
  get waitingIds(): readonly string[] {
    return this.#waiting.map(({ id }) => id);
  }

  addJob({ id, name, payload, delayMs }: CarriedJob & { readonly delayMs: number }): string {
    if (this.#jobs.has(id)) return id;
    const data: unknown = JSON.parse(JSON.stringify(payload));
    const job: MemoryJob = {
      ...{ id, name, data, delayMs },
      ...{ state: 'waiting', attemptsMade: 0, starts: 0, failure: undefined },
    };
    this.#jobs.set(id, job);
    this.#waiting.push(job);
    return id;
  }

  startConsumer<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    handlers: Handlers<Jobs>,
    { concurrency, onFailed, onRetry }: ConsumerOptions<Jobs>,
  ): void {
    this.#capacity = concurrency;
    const runner = { contract, handlers, onFailed, onRetry, maxStalls: 0, hookRetryMs: 0 };
    this.#consumer = {
      countAllowedAttempts: (name) => getRetrySettings(contract, name)?.attempts ?? 1,
      run: (job, context) => runJob(runner, { ...job, stalls: 0, storeFailure: createFailureRecorder(job) }, context),
    };
  }

  /** Removes the consumer. Returns its running jobs to the queue, as if the process of the consumer had been killed. */
  removeConsumer(): void {
    this.#consumer = undefined;
    const unfinished = this.jobs.filter(({ state }) => state === 'active');
    for (const job of unfinished) job.state = 'waiting';
    this.#waiting.unshift(...unfinished);
  }

  /** Runs the next waiting job. @returns false if no job was waiting, or there is no consumer */
  async runNextJob(): Promise<boolean> {
    if (this.#consumer === undefined) return false;
    const job = this.#waiting.shift();
    if (job === undefined) return false;
    if (job.starts === MAX_STARTS)
      throw new Error(
        `expected job ${job.id} of queue ${this.#name} to end, found it unfinished after ${MAX_STARTS} starts`,
      );
    job.starts += 1;
    job.state = 'active';
    const { starts } = job;
    const outcome = await this.#consumer.run(job, this.#createContext(job, this.#consumer));
    if (isCurrentStart(job, starts)) this.#recordOutcome(job, outcome);
    return true;
  }

  countJobs(): QueueDepth {
    const countState = (state: MemoryJob['state']): number => this.jobs.filter((job) => job.state === state).length;
    return {
      waiting: countState('waiting'),
      delayed: 0,
      active: countState('active'),
      completed: countState('completed'),
      failed: countState('failed'),
    };
  }

  #recordOutcome(job: MemoryJob, outcome: Outcome): void {
    if (outcome.kind === 'done') job.state = 'completed';
    else if (outcome.kind === 'failed') job.state = 'failed';
    else this.#requeueJob(job, outcome.kind === 'retry' ? 1 : 0, outcome.kind === 'later' ? outcome.delayMs : 0);
  }

  #requeueJob(job: MemoryJob, attempts: number, delayMs: number): void {
    if (delayMs > 0) this.#onDelay(delayMs);
    job.state = 'waiting';
    job.attemptsMade += attempts;
    this.#waiting.push(job);
  }

  #createContext(job: MemoryJob, consumer: MemoryConsumer): JobContext {
    const attempt = job.attemptsMade + 1;
    return {
      id: job.id,
      attempt,
      lastAttempt: attempt >= consumer.countAllowedAttempts(job.name),
      starts: job.starts,
      signal: new AbortController().signal,
      log: silentLog,
    };
  }
}

function createFailureRecorder(job: MemoryJob): (reason: FailureReason) => Promise<void> {
  return async (reason) => {
    job.failure = reason;
  };
}

/** Returns true if the job is running and its latest start has the number `start`. */
function isCurrentStart({ state, starts }: MemoryJob, start: number): boolean {
  return state === 'active' && starts === start;
}
