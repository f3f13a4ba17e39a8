import type { FetchFailed } from './fetch-error.js';

/** Describes a signal that fires at a timeout or when another signal fires, whichever comes first. */
export interface Deadline {
  /** Fires with a FetchFailed as its reason. */
  readonly signal: AbortSignal;
  /** Stops the timer. The signal does not fire afterwards. */
  readonly end: () => void;
}

/** Describes what makes a deadline fire. */
export interface DeadlineCauses {
  readonly ms: number;
  readonly late: () => FetchFailed;
  /** Lists other signals, each with a function that converts its reason into an error. */
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
