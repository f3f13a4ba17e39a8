import { setTimeout as sleep } from 'node:timers/promises';

/** Provides the time. Tests replace it. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Waits. @throws the signal's AbortError when the signal is aborted first */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};
