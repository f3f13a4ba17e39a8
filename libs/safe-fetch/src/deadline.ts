import type { FetchFailed } from './fetch-error.js';

/** Describes a signal that aborts after a timeout, or earlier if another signal aborts. */
export interface Deadline {
  /** Aborts at the deadline or with another signal. The reason is always a FetchFailed. */
  readonly signal: AbortSignal;
  /** Stops the timer and removes the listeners, so that the signal no longer aborts. */
  readonly end: () => void;
}

/** Describes the timeout of a deadline, and the signals that also abort the deadline. */
export interface DeadlineCauses {
  readonly timeoutMs: number;
  /** Creates the reason with which the deadline aborts after `timeoutMs` milliseconds. */
  readonly createTimeoutError: () => FetchFailed;
  /** Lists signals, each with a function that converts the reason of that signal to the reason of the deadline. */
  readonly otherSignals: readonly (readonly [AbortSignal | undefined, (reason: unknown) => FetchFailed])[];
}

export function startDeadline({ timeoutMs, createTimeoutError, otherSignals }: DeadlineCauses): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(createTimeoutError());
  }, timeoutMs);
  const listening = new AbortController();
  for (const [signal, explain] of otherSignals) {
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
