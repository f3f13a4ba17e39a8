/**
 * Waits for `work` until the signal aborts. The work itself continues after an abort. Use this function for work that
 * accepts no signal, or whose result other callers need.
 *
 * @throws the reason of the signal if it aborts first; otherwise the error of the work
 */
export async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => {
    reject(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
