import type { Shape } from '@quarry/validation';

/**
 * Describes the delay after attempt n: `delayMs · 2^(n-1)`, at most `maxDelayMs`, randomized by the fraction `jitter`.
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
   * Returns the job id. Adding a job with an existing id has no effect. The id contains the run, because a retained
   * failed job would block a later job with the same id. BullMQ reserves `:`, so the id contains none.
   */
  readonly id: (payload: Payload) => string;
  /** Maximum number of times that the handler runs before the job fails. `TryLater` does not count as an attempt. */
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
   * Part of the concurrency of the consumer, between 0 and 1, for one owner, and for all slow owners together. One job can always
   * run.
   */
  readonly max: number;
  /** An owner is slow if one of its jobs takes longer, in milliseconds. */
  readonly slowAfterMs: number;
}

/** Describes a queue. Payloads are parsed by producers and consumers. */
export interface QueueContract<Jobs extends JobPayloads> {
  readonly name: string;
  readonly jobs: { readonly [Name in keyof Jobs]: JobContract<Jobs[Name]> };
  /** Number of seconds for which finished jobs are retained for inspection. */
  readonly keepCompletedSeconds: number;
  readonly keepFailedSeconds: number;
  /** Absent: the jobs of one owner can use the whole concurrency. */
  readonly ownerShare?: OwnerShare;
}

const HOUR = 3600;

/** Retries most jobs: 5 attempts over about a minute. */
export const STANDARD_RETRY = { attempts: 5, backoff: { delayMs: 2_000, maxDelayMs: 60_000, jitter: 0.5 } } as const;
export const STANDARD_RETENTION = { keepCompletedSeconds: HOUR, keepFailedSeconds: 14 * 24 * HOUR } as const;
/**
 * Retains the completed jobs of a queue with a job per document for a shorter time, because they occupy the memory of Redis. It is
 * longer than the time after which the watchdog repeats work whose final event is missing (`QUARRY_RUN_LOST_AFTER_MINUTES`).
 */
export const DOCUMENT_RETENTION = { ...STANDARD_RETENTION, keepCompletedSeconds: HOUR / 3 } as const;

/**
 * Maximum share of a queue for one organization, if the jobs wait for servers of customers. The remaining places serve others
 * while all servers of one organization are slow. Consumers apply it to all slow organizations together, too.
 */
export const MAX_ORGANIZATION_SHARE = 0.75;
export const ORGANIZATION_SHARE: OwnerShare = {
  field: 'organizationId',
  max: MAX_ORGANIZATION_SHARE,
  slowAfterMs: 5_000,
};
