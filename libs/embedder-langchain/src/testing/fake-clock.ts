import type { Clock } from '../persist.js';

/** Waiting costs no time, and is written down. */
export function fakeClock(): Clock & { readonly waits: readonly number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    wait: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}
