const ASK_AGAIN: readonly number[] = [429, 503];

/** How long a refusal asks to wait, in milliseconds; undefined when it does not ask to be repeated. Source: RFC 9110, section 10.2.3. */
export function retryAfterMs({ status, headers }: Response, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || !ASK_AGAIN.includes(status)) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

/** @throws the signal's reason when it is aborted */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
