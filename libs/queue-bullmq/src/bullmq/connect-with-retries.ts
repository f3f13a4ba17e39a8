import { setTimeout as pause } from 'node:timers/promises';
import type { QueueLog } from '@quarry/queue';

const RETRY_MS = 250;

export interface ConnectOptions {
  /** Maximum time for connecting with retries, in milliseconds. */
  readonly timeoutMs: number;
  /** True: `connectOrStartWithout` resolves even if the server is still unavailable after `timeoutMs`. */
  readonly canStartWithout: boolean;
  readonly log: QueueLog;
}

/**
 * Repeats `attempt` until it succeeds, for at most `timeoutMs`.
 *
 * @param address the address of the server, without its password
 * @throws Error with the last error as its cause
 */
export async function connectWithRetries<T>(
  address: string,
  { timeoutMs, log }: ConnectOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() + RETRY_MS >= deadline)
        throw new Error(
          `the queue server at ${address} did not respond within ${timeoutMs} ms: ${getErrorMessage(error)}`,
          {
            cause: error,
          },
        );
      if (attempts === 1) log.warn({ address, reason: getErrorMessage(error) }, 'waiting for the queue server');
      await pause(RETRY_MS);
    }
  }
}

/** Matches Node's errors for an unreachable address, as opposed to a server that rejects the client. */
const UNAVAILABLE =
  /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Connection is closed)\b/;

/**
 * Repeats `attempt` as `connectWithRetries` does. If `canStartWithout` is true, logs that the server is unavailable
 * instead of throwing.
 */
export async function connectOrStartWithout(
  address: string,
  options: ConnectOptions,
  attempt: () => Promise<void>,
): Promise<void> {
  try {
    await connectWithRetries(address, options, attempt);
  } catch (error) {
    if (!options.canStartWithout || !(error instanceof Error) || !UNAVAILABLE.test(error.message)) throw error;
    options.log.warn({ address, reason: error.message }, 'starting without the queue server, which is unavailable');
  }
}

/** Removes the user name, the password and the parameters from the address of a server, for messages. */
export function redactAddressPassword(url: string): string {
  const [address = ''] = url.replace(/\/\/[^@/]*@/, '//').split('?');
  return address;
}

/**
 * Returns the message of an error. Node reports a refused connection to several addresses as one error without a
 * message.
 */
function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(getErrorMessage).join(', ');
  return error instanceof Error ? error.message : String(error);
}
