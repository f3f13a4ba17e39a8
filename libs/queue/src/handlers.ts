import type { JobPayloads } from '@quarry/contracts';

/** Describes the log that queues use. A pino logger implements it. */
export interface QueueLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): QueueLog;
}

export interface JobContext {
  readonly id: string;
  /**
   * The number of this attempt, from 1. A start after a `TryLater` or a takeover belongs to the same attempt as the
   * start before.
   */
  readonly attempt: number;
  /** True if a failure of this attempt fails the job permanently. */
  readonly lastAttempt: boolean;
  /**
   * The number of starts of the handler for the job so far, including this one, whatever the reason of a start was. It
   * does not increase when the job is postponed because of the share of its owner (`OwnerShare`).
   */
  readonly starts: number;
  /**
   * Aborts when this process must end, or when another process has taken over the job. In both cases, another process
   * repeats the job.
   */
  readonly signal: AbortSignal;
  readonly log: QueueLog;
}

/**
 * Maps the name of each job to its handler. A handler resolves when the job is done. It throws `GiveUp` to fail the
 * job, `TryLater` to delay it, and any other error to retry it after the backoff of the contract. A handler may run
 * twice with the same payload, so it must be idempotent.
 */
export type Handlers<Jobs extends JobPayloads> = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], job: JobContext) => Promise<void>;
};

/** Describes one execution of a job, and the outcome of the execution. */
export interface JobRun {
  readonly queue: string;
  readonly job: string;
  /**
   * `failed`: the job has failed permanently. `retry`: the job will run again after an error. `later`: the job will run
   * again after a `TryLater`. `hand-back`: another process will run the job.
   */
  readonly outcome: 'done' | 'failed' | 'retry' | 'later' | 'hand-back';
  readonly seconds: number;
}

/**
 * Receives a call when this process begins to execute a job, and another call when the execution ends. Its methods must
 * not throw.
 */
export interface JobWatch {
  recordStart(start: Pick<JobRun, 'queue' | 'job'>): void;
  recordEnd(run: JobRun): void;
}

/** Describes why a job or an attempt of a job failed. */
export interface FailureReason {
  /**
   * A stable code: `payload_unreadable`, `stalled_too_often`, `attempts_exhausted`, or the code of the `GiveUp` or
   * `AttemptFailed` that the handler threw, such as `file_encrypted`.
   */
  readonly code: string;
  /**
   * Explains the code. With the code `attempts_exhausted`, this is the message of the last error, which users must not
   * see.
   */
  readonly message: string;
}

/** Describes a job that has failed permanently. It contains the parsed payload if the job is readable. */
export type JobFailure<Jobs extends JobPayloads> = { readonly reason: FailureReason } & (
  ReadableJob<Jobs> | UnreadableJob
);

/** Describes a job that will run again, after an error or a `TryLater`. */
export type JobRetry<Jobs extends JobPayloads> = {
  /**
   * The reason that users may see. The code is `internal_error`, unless the handler threw an `AttemptFailed`, or a
   * `TryLater` that has a code.
   */
  readonly reason: FailureReason;
  readonly nextAttemptAt: Date;
} & ReadableJob<Jobs>;

export type ReadableJob<Jobs extends JobPayloads, Names extends keyof Jobs & string = keyof Jobs & string> = {
  readonly [Name in Names]: {
    readonly readable: true;
    readonly name: Name;
    readonly payload: Jobs[Name];
  };
}[Names];

/** Describes a job with an unknown name or an invalid payload. */
export interface UnreadableJob {
  readonly readable: false;
  readonly name: string;
  /** The payload as stored, not validated. */
  readonly payload: unknown;
  /** Describes why the job is unreadable. */
  readonly problem: string;
}
