import type { Clock } from '../retry-request.js';

/** Creates a clock that records delays without waiting. */
export function createFakeClock(): Clock & { readonly waits: readonly number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    waitMs: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}
