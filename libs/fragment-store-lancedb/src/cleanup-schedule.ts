/** Runs a task for each added item, when a delay has passed since the item was last added. */
export class CleanupSchedule<T> {
  readonly #delayMs: number;
  readonly #runTask: (item: T) => Promise<void>;
  /** Maps keys to items, each with the time at which its task is due. The earliest is first. */
  readonly #waiting = new Map<string, { readonly item: T; readonly due: number }>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param runTask must not fail */
  constructor(delayMs: number, runTask: (item: T) => Promise<void>) {
    this.#delayMs = delayMs;
    this.#runTask = runTask;
  }

  scheduleItem(key: string, item: T): void {
    this.#waiting.delete(key);
    this.#waiting.set(key, { item, due: performance.now() + this.#delayMs });
    this.#scheduleNextRun();
  }

  /** Waits for the active task. No task starts afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #scheduleNextRun(): void {
    const [first] = this.#waiting.values();
    if (this.#stopped || this.#timer !== undefined || first === undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#running = this.#cleanUpDueItems();
      },
      Math.max(0, first.due - performance.now()),
    ).unref();
  }

  /** Runs the tasks that are due, one after the other. */
  async #cleanUpDueItems(): Promise<void> {
    for (const [key, { item, due }] of this.#waiting) {
      if (this.#stopped || due > performance.now()) break;
      this.#waiting.delete(key);
      await this.#runTask(item);
    }
    this.#timer = undefined;
    this.#scheduleNextRun();
  }
}
