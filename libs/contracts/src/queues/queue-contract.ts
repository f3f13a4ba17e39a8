import type { Shape } from '@quarry/validation';

/**
 * Describes the delay after attempt n: `delayMs · 2^(n-1)`, at most `maxDelayMs`. The actual delay is shorter or longer
 * by a random share of at most `jitter`; 0.5 means at most 50 %.
 */
export interface Backoff {
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

/** Describes a kind of job: its payload, its id and its retry policy. */
export interface JobContract<Payload extends object> {
  readonly payload: Shape<Payload>;
  /**
   * Returns the id of a job. Adding a job has no effect while the queue retains a job with the same id, even a failed
   * job. So the ids of the jobs of a run contain the id of the run. No job id contains `:`, because BullMQ reserves
   * this character.
   */
  readonly buildId: (payload: Payload) => string;
  /**
   * Maximum number of attempts before the job fails. An execution that ends with `TryLater` does not count as an
   * attempt.
   */
  readonly attempts: number;
  readonly backoff: Backoff;
}

/** Maps the name of each job in a queue to its payload class. */
export type JobPayloads = { readonly [name: string]: object };

/** Limits how many jobs of one owner a consumer runs at the same time. */
export interface OwnerShare {
  /** Name of the payload's field that identifies the owner. */
  readonly field: string;
  /**
   * Maximum share of a consumer's concurrency, between 0 and 1. It applies to the jobs of one owner, and to the jobs of
   * all slow owners together. An owner can always run at least one job.
   */
  readonly max: number;
  /** Duration in milliseconds. If a job takes at least this long, its owner counts as slow. */
  readonly slowAfterMs: number;
}

/** Describes a queue. Producers and consumers parse the payloads of its jobs. */
export interface QueueContract<Jobs extends JobPayloads> {
  readonly name: string;
  readonly jobs: { readonly [Name in keyof Jobs]: JobContract<Jobs[Name]> };
  /** Number of seconds for which the queue retains completed jobs. */
  readonly keepCompletedSeconds: number;
  readonly keepFailedSeconds: number;
  /** Limits the jobs of one owner. Absent: the jobs of one owner can use the whole concurrency. */
  readonly ownerShare?: OwnerShare;
}

const HOUR = 3600;

/** Retry settings of most queues: 5 attempts, with delays of about 30 seconds in total. */
export const STANDARD_RETRY = { attempts: 5, backoff: { delayMs: 2_000, maxDelayMs: 60_000, jitter: 0.5 } } as const;
export const STANDARD_RETENTION = { keepCompletedSeconds: HOUR, keepFailedSeconds: 14 * 24 * HOUR } as const;
/**
 * Times for which a queue with one job per document retains ended jobs. Completed jobs are retained for a shorter time
 * than in other queues, because they occupy the memory of Redis. The retention time of completed jobs must be longer
 * than `QUARRY_RUN_LOST_AFTER_MINUTES`, after which the watchdog repeats work whose final event is missing.
 */
export const DOCUMENT_RETENTION = { ...STANDARD_RETENTION, keepCompletedSeconds: HOUR / 3 } as const;

/**
 * Maximum share of a consumer's concurrency for one organization, and for all slow organizations together. Applies to
 * queues whose jobs wait for servers of customers. If the servers of one customer are slow, the remaining slots serve
 * other organizations.
 */
export const MAX_ORGANIZATION_SHARE = 0.75;
export const ORGANIZATION_SHARE: OwnerShare = {
  field: 'organizationId',
  max: MAX_ORGANIZATION_SHARE,
  slowAfterMs: 5_000,
};
