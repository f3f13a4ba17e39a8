import { setTimeout as sleep } from 'node:timers/promises';

/** Provides the current time and timers. Tests replace the clock. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Waits for a number of milliseconds. @throws the signal's AbortError when the signal is aborted first */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};
