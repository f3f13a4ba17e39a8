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
  readonly timeoutMs: number;
  /** Creates the reason for the timeout after `timeoutMs` milliseconds. */
  readonly createTimeoutError: () => FetchFailed;
  /** Lists other signals, each with a function that converts its reason to the reason of the deadline. */
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
