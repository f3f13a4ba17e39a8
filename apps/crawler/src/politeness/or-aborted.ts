/** Waits for an answer that others may wait for, too: who leaves does not end it. @throws the signal's reason */
export async function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => {
    reject(signal.reason as Error); // whatever the signal was aborted with is thrown
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([answer, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
