import { setTimeout as pause } from 'node:timers/promises';
import type { QueueLog } from '@quarry/queue';

const RETRY_MS = 250;

export interface ConnectOptions {
  /** Maximum time for all attempts to connect, in milliseconds. */
  readonly timeoutMs: number;
  /** If true, `connectOrStartWithout` resolves even if the server is still unavailable after `timeoutMs`. */
  readonly canStartWithout: boolean;
  readonly log: QueueLog;
}

/**
 * Repeats `attempt` until it succeeds, for at most `timeoutMs`.
 *
 * @param address the address of the server for messages, as `redactAddress` returns it
 * @throws Error whose cause is the error of the last attempt
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

/** Matches the errors of Node for an unreachable address, but not the response of a server that rejects the client. */
const UNAVAILABLE =
  /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Connection is closed)\b/;

/**
 * Repeats `attempt` as `connectWithRetries` does. If the server is unreachable until `timeoutMs` and `canStartWithout`
 * is true, logs a warning instead of throwing.
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

/**
 * Removes the user name, the password and the parameters from the address of a server, for messages. A password ends at
 * the last `@`, because some passwords contain `@`, `/` or `?` without percent-encoding.
 */
export function redactAddress(url: string): string {
  const [scheme = '', ...rest] = url.split('//');
  const address = rest.length === 0 ? url : `${scheme}//${rest.join('//').replace(/^.*@/s, '')}`;
  return address.split('?', 1).join('');
}

/**
 * Returns the message of an error. Joins the messages of the inner errors if an AggregateError has no message. Node
 * throws such an error if several addresses of a host refuse the connection.
 */
function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(getErrorMessage).join(', ');
  return error instanceof Error ? error.message : String(error);
}
