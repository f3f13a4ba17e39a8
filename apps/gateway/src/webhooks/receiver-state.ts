import type { Backoff } from '@quarry/contracts';
import { computeBackoff } from '@quarry/queue';

/**
 * The pause of all deliveries to a receiver after a failed attempt. It grows with each further failure. With its
 * jitter, the pause is at most one hour.
 */
const RECEIVER_BACKOFF: Backoff = { delayMs: 5_000, maxDelayMs: 3_000_000, jitter: 0.2 };

const DAY_MS = 86_400_000;
/** Time in milliseconds after which a webhook is disabled if all its attempts within this time have failed. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;
/**
 * Minimum number of failed attempts in a row before a webhook is disabled. With the pauses between them, they take
 * about 40 minutes.
 */
export const MIN_FAILURES_TO_DISABLE = 10;
/** Time without an attempt, in milliseconds, after which the pauses of a receiver start again with the shortest one. */
const QUIET_MS = DAY_MS;

/** The failures of a webhook's receiver since the latest success. */
export interface ReceiverState {
  readonly failingSince: Date | null;
  readonly failures: number;
  readonly pausedUntil: Date | null;
}

/** The state of a receiver whose latest attempt succeeded, or to which no attempt was made yet. */
export const HEALTHY: ReceiverState = { failingSince: null, failures: 0, pausedUntil: null };

interface FailedAttempt {
  readonly now: Date;
  /** Time of the attempt before the failed one. Undefined: there was none. */
  readonly previousAt: Date | undefined;
  /** A random number in [0, 1) that selects the pause within its jitter range. */
  readonly chance: number;
}

/** Returns the state of a receiver after a failed attempt. */
export function addFailedAttempt(state: ReceiverState, { now, previousAt, chance }: FailedAttempt): ReceiverState {
  const wasQuiet = previousAt !== undefined && now.getTime() - previousAt.getTime() > QUIET_MS;
  const failures = (wasQuiet ? 0 : state.failures) + 1;
  const pausedUntil = new Date(now.getTime() + computeBackoff(RECEIVER_BACKOFF, failures, chance));
  // If several concurrent attempts fail, only the first failure starts a pause, and the others do not extend it.
  const isPaused = state.pausedUntil !== null && state.pausedUntil > now;
  return { failingSince: state.failingSince ?? now, failures, pausedUntil: isPaused ? state.pausedUntil : pausedUntil };
}

/**
 * Returns true if a webhook has failed for so long that it is disabled. The minimum number of failures protects a
 * receiver that failed long ago, got no event since then, and fails once more.
 */
export function shouldDisableWebhook({ failingSince, failures }: ReceiverState, now: Date): boolean {
  if (failingSince === null || failures < MIN_FAILURES_TO_DISABLE) return false;
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS;
}
