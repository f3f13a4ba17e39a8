import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../politeness/clock.js';

/** Time for several who wait at once: it goes on to the next end of a wait when nobody has anything to do before. */
export interface VirtualClock extends Clock {
  /** Lets time pass until the work is done. @throws what the work throws, or when it would wait for ever */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Wait {
  readonly at: number;
  readonly end: () => void;
}

/** For work that waits for nothing but this clock. It begins at 0. */
export function virtualClock(): VirtualClock {
  let now = 0;
  let waits: readonly Wait[] = [];
  const goOn = (): void => {
    const [first, ...others] = waits.toSorted((a, b) => a.at - b.at);
    if (first === undefined)
      throw new Error(`expected somebody to wait at ${now} ms, found nobody and the work undone`);
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
          reject(signal.reason as Error); // what the test aborted it with
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
        goOn();
        await turn();
      }
      return done;
    },
  };
}
