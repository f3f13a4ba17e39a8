import type { Clock } from '../politeness/clock.js';

/** Simulates a clock for tests. Each wait advances the clock by its duration and ends immediately. */
export interface ManualClock extends Clock {
  /** The durations of all waits in milliseconds. */
  readonly waits: readonly number[];
  advance(ms: number): void;
}

export function createManualClock(start = Date.parse('2026-01-01T00:00:00Z')): ManualClock {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    advance: (ms) => {
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
