import type { FetchFailed } from './fetch-error.js';

/** Describes a signal that aborts after a timeout or when another signal aborts, whichever is first. */
export interface Deadline {
  /** Aborts with a FetchFailed as its reason. */
  readonly signal: AbortSignal;
  /** Stops the timer and removes the listeners. The signal does not abort afterwards. */
  readonly end: () => void;
}

/** Describes the timeout of a deadline, and the other signals that abort it. */
export interface DeadlineCauses {
  readonly ms: number;
  /** Creates the reason for the timeout after `ms` milliseconds. */
  readonly late: () => FetchFailed;
  /** Lists other signals, each with a function that converts its reason to the reason of the deadline. */
  readonly others: readonly (readonly [AbortSignal | undefined, (reason: unknown) => FetchFailed])[];
}

export function startDeadline({ ms, late, others }: DeadlineCauses): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(late());
  }, ms);
  const listening = new AbortController();
  for (const [signal, explain] of others) {
    const abortRequest = (): void => {
      controller.abort(explain(signal?.reason));
    };
    if (signal?.aborted === true) abortRequest();
    signal?.addEventListener('abort', abortRequest, { once: true, signal: listening.signal });
  }
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      listening.abort();
    },
  };
}
