import { hasResolvedWithin } from '@quarry/cancellation';

/** Maximum time in milliseconds that a request for the metrics waits for a server that does not respond. */
const RESPONSE_TIMEOUT_MS = 2_000;

/**
 * Creates a function that reads the values of gauges. It returns undefined if `read` fails or exceeds the timeout,
 * because a missing value is better than an outdated one. While a read is in progress, further calls wait for it and
 * start no other. So the gauges of one request share a read, and reads do not accumulate at a server that hangs.
 */
export function createMetricsRead<Value>(
  read: () => Promise<Value>,
  timeoutMs: number = RESPONSE_TIMEOUT_MS,
): () => Promise<Value | undefined> {
  let pending: Promise<Value | undefined> | undefined;
  return async () => {
    pending ??= readIfAvailable(read).finally(() => {
      pending = undefined;
    });
    const current = pending;
    return (await hasResolvedWithin(current, timeoutMs)) ? current : undefined;
  };
}

async function readIfAvailable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
