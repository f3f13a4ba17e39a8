import type { QueueLog } from '@quarry/queue';

const QUIET_MS = 30_000;

/** Logs errors that come again and again while a server is away: each message once in half a minute. */
export function errorLog(log: QueueLog, now: () => number = Date.now): (error: Error) => void {
  const lastSaid = new Map<string, number>();
  return (error) => {
    const said = lastSaid.get(error.message);
    if (said !== undefined && now() - said < QUIET_MS) return;
    lastSaid.set(error.message, now());
    log.warn({ err: error }, 'the queue has trouble');
  };
}
