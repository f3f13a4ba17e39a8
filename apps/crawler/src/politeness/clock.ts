import { setTimeout as sleep } from 'node:timers/promises';

/** Time, handed in so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** @throws the signal's AbortError when it is aborted first */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};
