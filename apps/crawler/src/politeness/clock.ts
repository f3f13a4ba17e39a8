import { setTimeout as sleep } from 'node:timers/promises';

/** Provides the current time and timers. Tests replace the clock. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Waits for a number of milliseconds. @throws the reason of the signal if the signal aborts first */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // The timer of Node rejects with its own AbortError.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
