/** Limits the number of concurrent tasks. Waiting tasks start in the order in which they called `acquireSlot`. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Resolves when the task may start. @throws the reason of the signal if the signal aborts first */
  async acquireSlot(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grantSlot = (): void => {
        signal?.removeEventListener('abort', cancelWaiting);
        resolve();
      };
      const cancelWaiting = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(grantSlot), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('the task was aborted'));
      };
      signal?.addEventListener('abort', cancelWaiting, { once: true });
      this.#waiting.push(grantSlot);
    });
  }

  releaseSlot(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
