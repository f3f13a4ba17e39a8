import { setTimeout as pause } from 'node:timers/promises';
import type { QueueLog } from '@quarry/queue';

const RETRY_MS = 250;

export interface Reaching {
  /** How long to try. */
  readonly timeoutMs: number;
  /** Whether to continue without a server that cannot be connected to by then. */
  readonly canStartWithout: boolean;
  readonly log: QueueLog;
}

/**
 * Tries until it succeeds or the time is over.
 *
 * @param address of the server, without its password
 * @throws with the last error as the cause
 */
export async function reach<T>(address: string, { timeoutMs, log }: Reaching, attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() + RETRY_MS >= deadline)
        throw new Error(`the queues' server at ${address} did not answer within ${timeoutMs} ms: ${reasonOf(error)}`, {
          cause: error,
        });
      if (tries === 1) log.warn({ address, reason: reasonOf(error) }, "waiting for the queues' server");
      await pause(RETRY_MS);
    }
  }
}

/** What Node reports when nothing answers at an address, as opposed to a server that refuses what it receives. */
const UNAVAILABLE =
  /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Connection is closed)\b/;

/** As `reach`, but continues without a server that cannot be connected to, where that is allowed. */
export async function reachOrContinue(
  address: string,
  reaching: Reaching,
  attempt: () => Promise<void>,
): Promise<void> {
  try {
    await reach(address, reaching, attempt);
  } catch (error) {
    if (!reaching.canStartWithout || !(error instanceof Error) || !UNAVAILABLE.test(error.message)) throw error;
    reaching.log.warn({ address, reason: error.message }, "starting without the queues' server, until it answers");
  }
}

/** Where a server is, as people may read it. */
export function addressOf(url: string): string {
  const [address = ''] = url.replace(/\/\/[^@/]*@/, '//').split('?');
  return address;
}

/** Node reports a refused connection to several addresses as one error without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
