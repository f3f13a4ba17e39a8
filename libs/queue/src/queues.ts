import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { Handlers, JobContext, JobFailure, JobRetry, ReadableJob } from './handlers.js';
import type { Pacing } from './pacing.js';

/** Describes a job to add. The contract of the queue computes the id of the job from the payload. */
export type NewJob<Jobs extends JobPayloads> = {
  readonly [Name in keyof Jobs & string]: AddOptions & { readonly name: Name; readonly payload: Jobs[Name] };
}[keyof Jobs & string];

export interface AddOptions {
  /** Delay in milliseconds after which a consumer may start the job. Default: no delay. */
  readonly delayMs?: number;
  /** The trace context to continue, as a W3C `traceparent`. Default: the context of the caller. */
  readonly traceparent?: string;
}

/**
 * Adds jobs to a queue. Adding a job has no effect if the queue contains a job with the same id, even a finished one. A
 * failed call can therefore be repeated. NUL and unpaired surrogates in payloads become U+FFFD, because PostgreSQL
 * cannot store these characters.
 */
export interface Producer<Jobs extends JobPayloads> {
  /**
   * Adds a job.
   *
   * @returns the id of the job
   * @throws ValidationError if the payload is invalid; a connection error if the queue server is unavailable
   */
  add<Name extends keyof Jobs & string>(name: Name, payload: Jobs[Name], options?: AddOptions): Promise<string>;

  /**
   * Adds jobs in the given order. Adds none of the jobs if one is invalid.
   *
   * @returns the ids of the jobs, in the same order
   * @throws as `add`; if the queue server is unavailable, some of the jobs may have been added, and the call can be
   * repeated
   */
  addAll(jobs: readonly NewJob<Jobs>[]): Promise<readonly string[]>;
}

export interface ConsumerOptions<Jobs extends JobPayloads> {
  /** Maximum number of jobs that run at the same time. */
  readonly concurrency: number;
  /**
   * Called when a job fails permanently: after its last attempt, after `GiveUp`, after too many takeovers, or for an
   * unreadable payload. It is called at least once, even if processes die. If it throws, it is called again later. The
   * failure is recorded only after `onFailed` has succeeded.
   */
  readonly onFailed?: (failure: JobFailure<Jobs>, job: JobContext) => Promise<void>;
  /**
   * Called before a job returns to the queue after an error, or after a `TryLater` with a code. If it throws, the error
   * is only logged.
   */
  readonly onRetry?: (retry: JobRetry<Jobs>, job: JobContext) => Promise<void>;
}

export interface Consumer {
  /**
   * Stops accepting jobs, and waits for running jobs. After `deadlineMs` milliseconds, aborts the signals of running
   * jobs, and returns to the queue the jobs that do not stop. A repeated call waits for the first call.
   */
  close(deadlineMs: number): Promise<void>;
}

/** Describes the number of jobs of a queue in each state. */
export interface QueueDepth {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
}

export type JobState = keyof QueueDepth;

export interface Queues {
  /** Limits rates across all processes that share the queue server. */
  readonly pacing: Pacing;

  createProducer<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Producer<Jobs>;

  /** Starts to consume the jobs of a queue. */
  startConsumer<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    handlers: Handlers<Jobs>,
    options: ConsumerOptions<Jobs>,
  ): Consumer;

  countJobs<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<QueueDepth>;

  /**
   * Returns the number of jobs that the consumers of a queue in all processes can run concurrently. After a process is
   * killed, its consumers still count until its jobs are taken over.
   */
  getCapacity<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<number>;

  /**
   * Returns the readable jobs of a queue that wait or run, and also delayed ones if `withDelayed` is true. Reads at
   * most `limit` jobs of each state.
   */
  listUnfinished<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    limit: number,
    options?: { readonly withDelayed?: boolean },
  ): Promise<readonly ReadableJob<Jobs>[]>;

  /**
   * Returns the number of waiting jobs that start before the job with the given id. Returns undefined if the job is not
   * waiting, for example because it runs or is delayed, or if more than `limit` jobs wait.
   */
  countWaitingBefore<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    id: string,
    limit: number,
  ): Promise<number | undefined>;

  /** Returns the time at which the waiting job that starts next was added, or undefined if no job is waiting. */
  findNextJobTime<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<Date | undefined>;

  /** Returns the state of a job, or undefined if the queue does not contain it. */
  findJobState<Jobs extends JobPayloads>(contract: QueueContract<Jobs>, id: string): Promise<JobState | undefined>;

  /** Checks that the queue server responds. @throws Error with the reason */
  ping(): Promise<void>;

  /**
   * Closes all consumers, each with `deadlineMs` for its running jobs, and then the connections to the queue server.
   */
  close(deadlineMs: number): Promise<void>;
}
