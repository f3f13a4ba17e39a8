import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { Handlers, JobContext, JobFailure, JobRetry } from './handlers.js';
import type { Pacing } from './pacing.js';

/** One job to add. A payload's id comes from its contract. */
export type NewJob<Jobs extends JobPayloads> = {
  readonly [Name in keyof Jobs & string]: AddOptions & { readonly name: Name; readonly payload: Jobs[Name] };
}[keyof Jobs & string];

export interface AddOptions {
  /** How long the job waits before it may run, in milliseconds. */
  readonly delayMs?: number;
  /** The place in a trace that the job goes on from, as W3C's `traceparent` writes it. Absent: that of the caller. */
  readonly traceparent?: string;
}

/**
 * Adds jobs to a queue. Adding a job whose id is there already, finished or not, changes nothing: add again after a failure.
 * Text that PostgreSQL cannot keep (NUL, half a surrogate pair) becomes U+FFFD.
 */
export interface Producer<Jobs extends JobPayloads> {
  /**
   * @returns the job's id
   * @throws ValidationError when the payload is not what the contract says; a connection's error when the queue is away
   */
  add<Name extends keyof Jobs & string>(name: Name, payload: Jobs[Name], options?: AddOptions): Promise<string>;

  /**
   * Adds the jobs in the order given, or none of them when one is not what the contract says.
   *
   * @returns their ids, in that order
   * @throws as `add`; when the queue is away, some may be in it: to add them all again changes nothing
   */
  addAll(jobs: readonly NewJob<Jobs>[]): Promise<readonly string[]>;
}

export interface ConsumerOptions<Jobs extends JobPayloads> {
  /** How many jobs run at the same time. */
  readonly concurrency: number;
  /**
   * Told of each job that has failed for good, before that is recorded: its attempts are used up, its handler gave up, it
   * stalled too often, or its payload cannot be read. Called at least once, whichever process dies; when it throws, it is
   * called again later, and the job is not failed before it has succeeded.
   */
  readonly onFailed?: (failure: JobFailure<Jobs>, job: JobContext) => Promise<void>;
  /**
   * Called with each job that failed and will be run again, before it is put back: after an error, and after a `TryLater` with a
   * code. What it throws is logged.
   */
  readonly onRetry?: (retry: JobRetry<Jobs>, job: JobContext) => Promise<void>;
}

export interface Consumer {
  /**
   * Takes no more jobs, and waits for those that run. At the deadline their signals are aborted, and what does not end is
   * handed to other consumers. Closing again waits for the same end.
   */
  close(deadlineMs: number): Promise<void>;
}

/** How many jobs of a queue are in each state. */
export interface QueueDepth {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
}

export type JobState = keyof QueueDepth;

export interface Queues {
  /** Kept where the queues are. */
  readonly pacing: Pacing;

  producer<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Producer<Jobs>;

  /** Starts to run the queue's jobs. */
  consumer<Jobs extends JobPayloads>(
    contract: QueueContract<Jobs>,
    handlers: Handlers<Jobs>,
    options: ConsumerOptions<Jobs>,
  ): Consumer;

  depth<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<QueueDepth>;

  /** @returns when the job that waits longest to be run first was added; undefined when none waits */
  waitingSince<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): Promise<Date | undefined>;

  /** @returns the state of the job of this id; undefined when there is none, or none any more */
  find<Jobs extends JobPayloads>(contract: QueueContract<Jobs>, id: string): Promise<JobState | undefined>;

  /** @throws with the reason when the queues' server does not answer */
  ping(): Promise<void>;

  /** Closes the consumers, all within the deadline, then the connections. */
  close(deadlineMs: number): Promise<void>;
}
