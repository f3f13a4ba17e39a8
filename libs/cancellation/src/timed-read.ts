import { hasResolvedWithin } from './has-resolved-within.js';

/**
 * Creates a function that calls `read` and waits at most `timeoutMs` milliseconds for its value. While a call of `read`
 * is in progress, later calls of the function wait for its result and start no other call. So calls share a read, and
 * reads do not accumulate at a server that hangs.
 *
 * @returns a function that throws the error of `read`, or an error after `timeoutMs`
 */
export function createTimedRead<Value>(read: () => Promise<Value>, timeoutMs: number): () => Promise<Value> {
  let pending: Promise<Value> | undefined;
  // An async function also converts an error that `read` throws synchronously to a rejection.
  const startRead = async (): Promise<Value> => read();
  return async () => {
    pending ??= startRead().finally(() => {
      pending = undefined;
    });
    const current = pending;
    if (await hasResolvedWithin(current, timeoutMs)) return current;
    throw new Error(`no response within ${timeoutMs} ms`);
  };
}
