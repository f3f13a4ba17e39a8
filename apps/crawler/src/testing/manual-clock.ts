import type { Clock } from '../politeness/clock.js';

/** Time that passes only while somebody waits for it, and then at once. */
export interface ManualClock extends Clock {
  /** Every wait there was, in milliseconds. */
  readonly waits: readonly number[];
  pass(ms: number): void;
}

export function manualClock(start = Date.parse('2026-01-01T00:00:00Z')): ManualClock {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      const until = now + ms;
      waits.push(ms);
      await Promise.resolve();
      now = Math.max(now, until);
    },
  };
}
