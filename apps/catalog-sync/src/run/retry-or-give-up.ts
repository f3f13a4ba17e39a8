import { AttemptFailed, GiveUp, TryLater } from '@quarry/contracts';
import type { TemporaryListingError } from '@quarry/item-listing';
import type { SyncProgress } from './sync-progress.js';

/**
 * Maximum number of pauses that the listing may request without progress between them. Twelve pauses take about half an
 * hour, because short pauses become longer. Twelve pauses of an hour are half a day.
 */
const MAX_CONSECUTIVE_PAUSES = 12;
const MAX_STARTS = 500;
/**
 * Delay between the first failed request and the next start of the job, in milliseconds. It doubles with each
 * consecutive failure or requested pause.
 */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 5 * 60_000;
/** Maximum time that requests may fail without progress before the run fails, in milliseconds. */
const MAX_FAILING_MS = 30 * 60_000;
/** Minimum number of failed requests without progress before the run fails, even if `MAX_FAILING_MS` has passed. */
const MIN_FAILURES = 5;

/** Describes one start of a job. */
interface SyncStart {
  readonly isDryRun: boolean;
  /** Number of starts of the job, including this one. */
  readonly starts: number;
}

/**
 * Decides whether a job is retried after a temporary error of a listing. Returns the error that the job throws:
 * TryLater to resume the job later, or GiveUp after too many failures without progress. For a dry run: AttemptFailed to
 * start from the beginning, or GiveUp if the listing requests a pause.
 *
 * @param now time of the error in milliseconds since 1970
 */
export function decideRetryOrGiveUp(
  error: TemporaryListingError,
  progress: SyncProgress,
  { isDryRun, starts }: SyncStart,
  now: number,
): Error {
  const { code, message, retryAfterMs } = error;
  const failures = progress.failureCount + progress.pauseCount;
  // A dry run saves no checkpoint, so each attempt starts from the beginning of the listing.
  if (isDryRun && retryAfterMs === undefined) return new AttemptFailed(code, message, { cause: error });
  if (isDryRun || hasFailedTooOften(progress, now) || starts > MAX_STARTS)
    return new GiveUp(code, message, { cause: error });
  return new TryLater(computeDelayMs(progress, retryAfterMs), message, { cause: error, code, failures });
}

function hasFailedTooOften(
  { pauseCount: pauses, failureCount: failures, failingSince }: SyncProgress,
  now: number,
): boolean {
  if (pauses > MAX_CONSECUTIVE_PAUSES) return true;
  const nextAt = now + computeRetryDelayMs(failures);
  return failingSince !== undefined && failures >= MIN_FAILURES && nextAt - failingSince > MAX_FAILING_MS;
}

/** Computes the delay before the next start of the job: at least the pause that the listing requested, if any. */
function computeDelayMs({ failureCount, pauseCount }: SyncProgress, retryAfterMs: number | undefined): number {
  return retryAfterMs === undefined
    ? computeRetryDelayMs(failureCount)
    : Math.max(retryAfterMs, computeRetryDelayMs(pauseCount));
}

function computeRetryDelayMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (Math.max(1, failures) - 1), MAX_RETRY_MS);
}

/** Minimum time limit for the response headers of a listing, in milliseconds. */
const MIN_HEADERS_MS = 15_000;
/** Maximum time limit for the response headers of a listing, in milliseconds. */
const MAX_HEADERS_MS = 120_000;

/**
 * Computes the time limit for the response headers of a listing, in milliseconds. The limit is short, so that workers
 * do not wait long for a listing that does not respond. It starts at 15 seconds, or at twice the duration of the
 * slowest response, and doubles with each failure up to two minutes.
 *
 * @param slowestSeconds duration of the slowest response so far
 * @param failures number of consecutive failures
 */
export function computeHeadersTimeout(slowestSeconds: number, failures: number): number {
  return Math.min(MAX_HEADERS_MS, Math.max(MIN_HEADERS_MS, 2_000 * slowestSeconds) * 2 ** failures);
}
