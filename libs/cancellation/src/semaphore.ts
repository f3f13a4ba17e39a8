/** Limits the number of concurrent tasks. Further tasks wait, and start in the order in which they were added. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Runs a task when the limit permits it. @throws the reason of the signal if the signal aborts before the task starts */
  async runTask<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitForSlot(signal);
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  async #waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const grantSlot = (): void => {
      signal?.removeEventListener('abort', cancelWaiting);
      resolve(undefined);
    };
    const cancelWaiting = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(grantSlot), 1);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }));
    };
    signal?.addEventListener('abort', cancelWaiting, { once: true });
    this.#waiting.push(grantSlot);
    await promise;
  }
}
