import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../politeness/clock.js';

/** Simulates a clock for concurrent work. When all work waits, the clock advances to the end of the earliest wait. */
export interface VirtualClock extends Clock {
  /**
   * Advances the clock until the work is done.
   *
   * @throws the error of the work; Error if the work is not done, but no call waits on the clock
   */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Wait {
  readonly at: number;
  readonly end: () => void;
}

/** Creates a virtual clock that starts at 0. The work that it runs must use no other timers. */
export function createVirtualClock(): VirtualClock {
  let now = 0;
  let waits: readonly Wait[] = [];
  const advanceToNextWait = (): void => {
    const [first, ...others] = waits.toSorted((a, b) => a.at - b.at);
    if (first === undefined)
      throw new Error(
        `expected a call that waits on the virtual clock at ${now} ms, found none, although the work is not done`,
      );
    waits = others;
    now = first.at;
    first.end();
  };
  return {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error); // tests abort with an Error
        });
        waits = [...waits, { at: now + ms, end: resolve }];
      }),
    run: async (work) => {
      const state = { isDone: false };
      const done = work.finally(() => {
        state.isDone = true;
      });
      done.catch(() => undefined);
      await turn();
      while (!state.isDone) {
        advanceToNextWait();
        await turn();
      }
      return done;
    },
  };
}
