import { setMaxListeners } from 'node:events';

/** A signal that aborts with other signals, or when its owner aborts it. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  /** Aborts the signal. Has no effect on a signal that is already aborted. */
  readonly abort: (reason: Error) => void;
  /** Stops following the other signals, which refer to this signal until then. Call it at the end of the work. */
  readonly release: () => void;
}

/**
 * Creates a signal that aborts with the first of other signals, and has its reason. For work of each request, because the weak
 * references of `AbortSignal.any` make garbage collection slower.
 */
export function followSignals(...sources: readonly AbortSignal[]): FollowingSignal {
  const controller = new AbortController();
  const follow = (event: Event): void => {
    // Only abort signals emit this event.
    controller.abort((event.target as AbortSignal).reason);
  };
  const aborted = sources.find((source) => source.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  for (const source of sources) {
    // The stop of a service is one signal for all its requests.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow);
  }
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      for (const source of sources) source.removeEventListener('abort', follow);
    },
  };
}

/** A signal that aborts with another signal, or after a time. */
export interface Deadline extends Pick<FollowingSignal, 'signal' | 'release'> {
  /** Returns true if the time has passed before the end of the work. */
  readonly hasExpired: () => boolean;
}

/** Creates a signal that aborts with another signal, or after a time. Call `release` at the end of the work. */
export function createDeadline(signal: AbortSignal, ms: number): Deadline {
  const following = followSignals(signal);
  let isExpired = false;
  const timer = setTimeout(() => {
    isExpired = true;
    following.abort(new Error(`expected an end within ${ms} ms, found none`));
  }, ms);
  return {
    signal: following.signal,
    hasExpired: () => isExpired,
    release: () => {
      clearTimeout(timer);
      following.release();
    },
  };
}
