import { createTimedRead } from '@quarry/cancellation';

/** Maximum time in milliseconds that a request for the metrics waits for a server that does not respond. */
const RESPONSE_TIMEOUT_MS = 2_000;

/**
 * Creates a function that reads the values of gauges. The gauges of one request share a read. The function returns
 * undefined if `read` fails or exceeds the timeout, because a missing value is better than an outdated one.
 */
export function createMetricsRead<Value>(
  read: () => Promise<Value>,
  timeoutMs: number = RESPONSE_TIMEOUT_MS,
): () => Promise<Value | undefined> {
  const readInTime = createTimedRead(read, timeoutMs);
  return async () => readInTime().catch(() => undefined);
}
