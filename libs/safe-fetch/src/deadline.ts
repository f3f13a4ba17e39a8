import type { FetchFailed } from './fetch-error.js';

/** A signal that fires when time is up or when somebody else gives up, whichever comes first. */
export interface Deadline {
  /** Its reason is a FetchFailed. */
  readonly signal: AbortSignal;
  /** Stops the clock; the signal will not fire any more. */
  readonly end: () => void;
}

/** What a deadline answers to. */
export interface DeadlineCauses {
  readonly ms: number;
  readonly late: () => FetchFailed;
  /** Others who may give up, each with the error that this means. */
  readonly others: readonly (readonly [AbortSignal | undefined, (reason: unknown) => FetchFailed])[];
}

export function startDeadline({ ms, late, others }: DeadlineCauses): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(late());
  }, ms);
  const listening = new AbortController();
  for (const [signal, explain] of others) {
    const giveUp = (): void => {
      controller.abort(explain(signal?.reason));
    };
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true, signal: listening.signal });
  }
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      listening.abort();
    },
  };
}
