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
  /** The number of this attempt, from 1. Starts after a `TryLater` or a takeover belong to the same attempt. */
  readonly attempt: number;
  /** True when the job fails permanently if this attempt fails. */
  readonly lastAttempt: boolean;
  /** The number of starts of the job, including this one, for whatever reason. */
  readonly starts: number;
  /** Aborts when the process must end, or when another process has taken over the job and repeats its work. */
  readonly signal: AbortSignal;
  readonly log: QueueLog;
}

/**
 * Maps the name of each job to its handler. A handler resolves when the job is done. It throws `GiveUp` to fail the
 * job, `TryLater` to delay it, and any other error to retry it after the backoff of the contract. A handler must be
 * safe to run twice with the same payload.
 */
export type Handlers<Jobs extends JobPayloads> = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], job: JobContext) => Promise<void>;
};

/** Describes the result of one start of a job. */
export interface JobRun {
  readonly queue: string;
  readonly job: string;
  /**
   * `retry`: the job runs again after an error. `later`: it runs again after a `TryLater`. `hand-back`: another process
   * runs it.
   */
  readonly outcome: 'done' | 'failed' | 'retry' | 'later' | 'hand-back';
  readonly seconds: number;
}

/** Receives the start and the end of each job run. It must not throw. */
export interface JobWatch {
  recordStart(start: Pick<JobRun, 'queue' | 'job'>): void;
  recordEnd(run: JobRun): void;
}

/** Describes the reason of a permanent failure. */
export interface FailureReason {
  /**
   * A stable code: `payload_unreadable`, `stalled_too_often`, `attempts_exhausted`, or the code of the `GiveUp` or
   * `AttemptFailed` that the handler threw, such as `file_encrypted`.
   */
  readonly code: string;
  /** Explains the code. For `attempts_exhausted`, it is the message of the last error, which users must not see. */
  readonly message: string;
}

/** Describes a job that has failed permanently. Its payload is parsed if the job is readable. */
export type JobFailure<Jobs extends JobPayloads> = { readonly reason: FailureReason } & (
  ReadableJob<Jobs> | UnreadableJob
);

/** Describes a job that will run again, after an error or a `TryLater`. */
export type JobRetry<Jobs extends JobPayloads> = {
  /**
   * The reason for users. The code is `internal_error`, unless the handler threw an `AttemptFailed`, or a `TryLater`
   * with a code.
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
  /** The payload, unvalidated. */
  readonly payload: unknown;
  /** Describes why the job cannot be read. */
  readonly problem: string;
}
