/** Limits how many holders there are at a time. Waiting calls are granted in their order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Resolves when a place is granted. @throws the signal's reason if it aborts before */
  async acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('reading was aborted'));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(grant);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
