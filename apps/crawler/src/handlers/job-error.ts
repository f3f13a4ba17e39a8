import { AttemptFailed, GiveUp, TryLater } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import type { PageProblem } from '../pages/page.js';

/**
 * Maximum delay requested by a server for which a job waits, in milliseconds. Without a maximum, a run might never end.
 */
const MAX_WAIT_MS = 60 * 60_000;
const MAX_STARTS = 20;

/**
 * Converts the problem of a page into the error that its job throws. The class of the error determines whether and when
 * the job is retried.
 */
export function toJobError({ code, message, transient, retryAfterMs }: PageProblem, run: JobContext): Error {
  const text = capitalizeFirstLetter(message);
  if (!transient) return new GiveUp(code, text);
  if (retryAfterMs !== undefined) {
    return canWaitInQueue(retryAfterMs, run) ? new TryLater(retryAfterMs, text, { code }) : new GiveUp(code, text);
  }
  return new AttemptFailed(code, text);
}

export function capitalizeFirstLetter(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Returns true if a job may wait in its queue for a delay that a server requests. @param ms delay in milliseconds */
export function canWaitInQueue(ms: number, run: JobContext): boolean {
  return ms <= MAX_WAIT_MS && run.starts < MAX_STARTS;
}
