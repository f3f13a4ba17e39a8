import type { JobPayloads } from '@quarry/contracts';

/** What queues write to: a pino logger is one. */
export interface QueueLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): QueueLog;
}

export interface JobContext {
  readonly id: string;
  /** Which attempt this is, from 1. Waiting (`TryLater`) and dying with the process cost none. */
  readonly attempt: number;
  /** Whether the job fails for good when this attempt does. */
  readonly lastAttempt: boolean;
  /** How often the job was started, this time included: greater with every start, for whatever reason it came about. */
  readonly starts: number;
  /** Aborted when the process must end, or when the job was taken over elsewhere: what is done from then on is done twice. */
  readonly signal: AbortSignal;
  readonly log: QueueLog;
}

/**
 * What runs each job, by its name. It returns when the job is done, and throws GiveUp (never again), TryLater (not now) or
 * anything else (again, after the contract's backoff). It must be safe to run twice with the same payload.
 */
export type Handlers<Jobs extends JobPayloads> = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], job: JobContext) => Promise<void>;
};

/** How one start of a job went. */
export interface JobRun {
  readonly queue: string;
  readonly job: string;
  /** `retry` and `later`: it comes back, with or without a wait; `hand-back`: another process runs it. */
  readonly outcome: 'done' | 'failed' | 'retry' | 'later' | 'hand-back';
  readonly seconds: number;
}

/** Told of each start of a job, and of its end. It must not throw. */
export interface JobWatch {
  started(start: Pick<JobRun, 'queue' | 'job'>): void;
  ended(run: JobRun): void;
}

/** Why a job failed for good. */
export interface FailureReason {
  /**
   * Stable: `payload_unreadable`, `stalled_too_often`, `attempts_exhausted`, or the code of the handler's GiveUp, such as
   * `file_encrypted`.
   */
  readonly code: string;
  /** The same for people. Of `attempts_exhausted` it is the last error's message, which is not for users. */
  readonly message: string;
}

/** A job that failed for good, and its payload where it can be read. */
export type JobFailure<Jobs extends JobPayloads> = { readonly reason: FailureReason } & (
  ReadableJob<Jobs> | UnreadableJob
);

/** A job that failed or cannot go on now, and that will be run again. */
export type JobRetry<Jobs extends JobPayloads> = {
  /** For users: `internal_error` where the error is neither `AttemptFailed` nor `TryLater` with a code. */
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

/** A job of an unknown name, or whose payload is not what the contract says. */
export interface UnreadableJob {
  readonly readable: false;
  readonly name: string;
  /** As it was found. */
  readonly payload: unknown;
  /** What is wrong with it. */
  readonly problem: string;
}
