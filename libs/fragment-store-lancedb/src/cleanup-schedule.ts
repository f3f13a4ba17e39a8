/** Runs a task for each added item, when a delay has passed since the item was last added. */
export class CleanupSchedule<T> {
  readonly #delayMs: number;
  readonly #runTask: (item: T) => Promise<void>;
  /** Maps keys to items, each with the time at which its task is due. */
  readonly #waiting = new Map<string, { readonly item: T; readonly due: number }>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param runTask runs the task of an item. It must not throw. */
  constructor(delayMs: number, runTask: (item: T) => Promise<void>) {
    this.#delayMs = delayMs;
    this.#runTask = runTask;
  }

  scheduleItem(key: string, item: T, delayMs = this.#delayMs): void {
    this.#waiting.set(key, { item, due: performance.now() + delayMs });
    this.#scheduleNextRun();
  }

  /** Waits for the active task. No task starts afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #scheduleNextRun(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#running !== undefined || this.#waiting.size === 0) return;
    const earliest = Math.min(...Array.from(this.#waiting.values(), ({ due }) => due));
    this.#timer = setTimeout(
      () => {
        const running = this.#runDueTasks();
        this.#running = running;
        void running.then(() => {
          this.#running = undefined;
          this.#scheduleNextRun();
        });
      },
      Math.max(0, earliest - performance.now()),
    ).unref();
  }

  /** Runs the tasks that are due, one after the other. */
  async #runDueTasks(): Promise<void> {
    for (const [key, { item, due }] of this.#waiting) {
      if (this.#stopped) break;
      if (due > performance.now()) continue;
      this.#waiting.delete(key);
      await this.#runTask(item);
    }
  }
}
