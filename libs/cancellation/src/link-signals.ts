import { setMaxListeners } from 'node:events';

/** Describes a signal that aborts when one of its source signals aborts, or when `abort` is called. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts the signal. Has no effect on a signal that is already aborted. */
  readonly abort: (reason: Error) => void;
  /** Removes the listeners from the source signals. Call it when the work that uses `signal` has ended. */
  readonly release: () => void;
}

/**
 * Creates a signal that aborts as soon as one of its sources aborts, with the reason of that source. Use this function
 * instead of `AbortSignal.any` for work that occurs in each request: the weak references of `AbortSignal.any` slow down
 * garbage collection.
 */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const abortWithReason = (event: Event): void => {
    // The cast is correct, because only abort signals emit this event.
    controller.abort((event.target as AbortSignal).reason);
  };
  const aborted = sources.find((source) => source.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  for (const source of sources) {
    // All requests of a service follow the signal of its shutdown, so Node must not warn about the number of listeners.
    setMaxListeners(0, source);
    source.addEventListener('abort', abortWithReason);
  }
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      for (const source of sources) source.removeEventListener('abort', abortWithReason);
    },
  };
}

/** Describes a signal that aborts when another signal aborts, or after a time. */
export interface Deadline extends Pick<LinkedSignal, 'signal' | 'release'> {
  /** Returns true if the time has passed before `release` was called. */
  readonly hasExpired: () => boolean;
}

/**
 * Creates a signal that aborts when `signal` aborts, or after `ms` milliseconds. Call `release` when the work that uses
 * the new signal has ended.
 */
export function createDeadline(signal: AbortSignal, ms: number): Deadline {
  const linked = linkSignals(signal);
  let isExpired = false;
  const timer = setTimeout(() => {
    isExpired = true;
    linked.abort(new Error(`expected the work to end within ${ms} ms, found it unfinished`));
  }, ms);
  return {
    signal: linked.signal,
    hasExpired: () => isExpired,
    release: () => {
      clearTimeout(timer);
      linked.release();
    },
  };
}
