import type { Clock } from '../politeness/clock.js';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { PageProblem, Visit } from './page.js';
import { visitAddress } from './visit-address.js';
import type { VisitParts } from './visit-parts.js';

/** What retries of transient failures need. */
export interface RetryParts {
  readonly client: PoliteClient;
  readonly clock: Clock;
  /** Before the second try; four times as long before each further one. */
  readonly retryDelayMs: number;
}

const TRIES = 3;
/** For a longer wait the job is put back into its queue. */
export const MAX_RETRY_WAIT_MS = 60_000;

/**
 * Waits before the next try. A server that asks for fewer requests holds all requests to its host; another transient failure
 * delays this request only.
 *
 * @param tries made so far
 * @returns false, without a wait, when the failure is permanent, the tries are used up, or the wait is too long
 */
export async function waitBeforeRetry(
  { client, clock, retryDelayMs }: RetryParts,
  address: string,
  problem: PageProblem,
  { tries, signal }: { readonly tries: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const rest = problem.retryAfterMs ?? retryDelayMs * 4 ** (tries - 1);
  if (!problem.passing || tries >= TRIES || rest > MAX_RETRY_WAIT_MS) return false;
  if (problem.retryAfterMs !== undefined || problem.code === 'rate_limited') await client.hold(address, rest, signal);
  else await clock.wait(rest, signal);
  return true;
}

/** Visits an address, up to three times while the failure is transient. @throws the signal's reason */
export async function visitWithRetries(
  parts: VisitParts & RetryParts,
  address: string,
  options: Parameters<typeof visitAddress>[2],
): Promise<Visit> {
  for (let tries = 1; ; tries += 1) {
    const visit = await visitAddress(parts, address, options);
    const isOver = visit.kind !== 'problem';
    if (isOver || !(await waitBeforeRetry(parts, address, visit.problem, { tries, signal: options.signal })))
      return visit;
  }
}
