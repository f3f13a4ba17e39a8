import type { Shape } from '@quarry/validation';

/** Wait after attempt n: `delayMs · 2^(n-1)`, at most `maxDelayMs`, give or take `jitter` (a fraction of it). */
export interface Backoff {
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

/** How one kind of job is carried: its payload, its identity, and how often it is tried. */
export interface JobContract<Payload extends object> {
  readonly payload: Shape<Payload>;
  /**
   * The job's identity: adding a job whose id is already there changes nothing. It contains the run, because a failed job
   * that is kept would block a later one of the same id. No `:`, which BullMQ reserves.
   */
  readonly id: (payload: Payload) => string;
  /** How often the handler runs before the job counts as failed. Waiting (`TryLater`) costs no attempt. */
  readonly attempts: number;
  readonly backoff: Backoff;
}

/** The payload class of each job that a queue carries, by the job's name. */
export type JobPayloads = { readonly [name: string]: object };

/** A queue, declared once. Payloads are parsed at both ends. */
export interface QueueContract<Jobs extends JobPayloads> {
  readonly name: string;
  readonly jobs: { readonly [Name in keyof Jobs]: JobContract<Jobs[Name]> };
  /** How long finished jobs are kept for people to look at, in seconds. */
  readonly keepCompletedSeconds: number;
  readonly keepFailedSeconds: number;
}

const HOUR = 3600;

/** What most jobs want: 5 attempts over about a minute. */
export const STANDARD_RETRY = { attempts: 5, backoff: { delayMs: 2_000, maxDelayMs: 60_000, jitter: 0.5 } } as const;
export const STANDARD_RETENTION = { keepCompletedSeconds: HOUR, keepFailedSeconds: 14 * 24 * HOUR } as const;
