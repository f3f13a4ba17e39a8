/** What `work` resolves to, or the signal's reason as soon as it aborts: for work that takes no signal itself. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => {
    reject(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
  };
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
