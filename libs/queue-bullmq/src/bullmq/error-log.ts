import type { QueueLog } from '@quarry/queue';

const REPEAT_INTERVAL_MS = 30_000;

/**
 * Returns a function that logs errors, but the same message at most once in 30 seconds: while a server is unavailable,
 * the same error occurs often.
 */
export function createRateLimitedErrorLogger(log: QueueLog, now: () => number = Date.now): (error: Error) => void {
  const lastLogged = new Map<string, number>();
  return (error) => {
    const loggedAt = lastLogged.get(error.message);
    if (loggedAt !== undefined && now() - loggedAt < REPEAT_INTERVAL_MS) return;
    lastLogged.set(error.message, now());
    log.warn({ err: error }, 'the queue server reported an error');
  };
}
