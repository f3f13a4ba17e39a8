import type { Clock } from '../politeness/clock.js';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { PageProblem, Visit } from './page.js';
import { visitAddress } from './visit-address.js';
import type { VisitParts } from './visit-parts.js';

/** How to take failures that pass. */
export interface Patience {
  readonly client: PoliteClient;
  readonly clock: Clock;
  /** Before the second try; four times as long before each further one. */
  readonly retryDelayMs: number;
}

const TRIES = 3;
/** Longer waits are the job's to make, not a running crawl's. */
export const MAX_PATIENCE_MS = 60_000;

/**
 * Waits until it is worth asking again. A server that asks for fewer requests gets them from everybody here; for what else may
 * pass, only this request waits.
 *
 * @param tries made so far
 * @returns false when it is not worth it, or not now
 */
export async function isWorthAnotherTry(
  { client, clock, retryDelayMs }: Patience,
  address: string,
  problem: PageProblem,
  { tries, signal }: { readonly tries: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const rest = problem.retryAfterMs ?? retryDelayMs * 4 ** (tries - 1);
  if (!problem.passing || tries >= TRIES || rest > MAX_PATIENCE_MS) return false;
  if (problem.retryAfterMs !== undefined || problem.code === 'rate_limited') await client.hold(address, rest, signal);
  else await clock.wait(rest, signal);
  return true;
}

/** Visits an address, up to three times while what keeps it from being had may pass. @throws the signal's reason */
export async function visitPatiently(
  parts: VisitParts & Patience,
  address: string,
  options: Parameters<typeof visitAddress>[2],
): Promise<Visit> {
  for (let tries = 1; ; tries += 1) {
    const visit = await visitAddress(parts, address, options);
    const isOver = visit.kind !== 'problem';
    if (isOver || !(await isWorthAnotherTry(parts, address, visit.problem, { tries, signal: options.signal })))
      return visit;
  }
}
