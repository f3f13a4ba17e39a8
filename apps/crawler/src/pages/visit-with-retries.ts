import type { Clock } from '../politeness/clock.js';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { PageProblem, Visit } from './page.js';
import { visitUrl } from './visit-url.js';
import type { VisitParts } from './visit-parts.js';

/** Holds the dependencies for retrying requests. */
export interface RetryParts {
  readonly client: PoliteClient;
  readonly clock: Clock;
  /** Delay before the second attempt. Each further delay is four times as long. */
  readonly retryDelayMs: number;
}

const MAX_ATTEMPTS = 3;
/** Maximum delay that a job waits for. For a longer delay, the job returns to its queue. */
export const MAX_RETRY_WAIT_MS = 60_000;

/**
 * Waits before a request is repeated. An overloaded server pauses all requests to its host; another transient failure delays this
 * request only.
 *
 * @param attempts number of attempts so far
 * @returns false, without a wait, if the failure is permanent, no attempts are left, or the delay is too long
 */
export async function waitBeforeRetry(
  { client, clock, retryDelayMs }: RetryParts,
  url: string,
  problem: PageProblem,
  { attempts, signal }: { readonly attempts: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const waitMs = problem.retryAfterMs ?? retryDelayMs * 4 ** (attempts - 1);
  if (!problem.transient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_WAIT_MS) return false;
  if (problem.retryAfterMs !== undefined || problem.code === 'rate_limited')
    await client.pauseHost(url, waitMs, signal);
  else await clock.wait(waitMs, signal);
  return true;
}

/** Visits a URL, and retries transient failures twice. @throws the signal's reason */
export async function visitWithRetries(
  parts: VisitParts & RetryParts,
  url: string,
  options: Parameters<typeof visitUrl>[2],
): Promise<Visit> {
  for (let attempts = 1; ; attempts += 1) {
    const visit = await visitUrl(parts, url, options);
    const isSuccess = visit.kind !== 'problem';
    if (isSuccess || !(await waitBeforeRetry(parts, url, visit.problem, { attempts, signal: options.signal })))
      return visit;
  }
}
