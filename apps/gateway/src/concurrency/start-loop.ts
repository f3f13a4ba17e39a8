import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';

export interface RunningLoop {
  /** Stops the loop. Resolves when the work in progress has ended. */
  close(): Promise<void>;
}

export interface LoopParts<Result> {
  readonly log: Pick<Gateway['log'], 'info' | 'warn'>;
  readonly work: () => Promise<Result>;
  /** The value that `pause` receives instead of a result if `work` has failed. */
  readonly failed: Result;
  /** Waits before the next execution of `work`. The waiting time may depend on the result of the previous execution. */
  readonly pause: (result: Result) => Promise<void>;
  /** Ends a pause that is in progress. */
  readonly wake: () => void;
  /**
   * The log messages. `unavailable` is logged once when the work begins to fail, `available` once when it succeeds
   * again.
   */
  readonly messages: { readonly unavailable: string; readonly available: string };
}

/** Starts a loop that repeats work until it is closed. Failed work is retried after the pause. */
export function startLoop<Result>({ log, work, failed, pause, wake, messages }: LoopParts<Result>): RunningLoop {
  let closed = false;
  let isUnavailable = false;
  const tryWork = async (): Promise<Result> => {
    try {
      const result = await work();
      if (isUnavailable) log.info({}, messages.available);
      isUnavailable = false;
      return result;
    } catch (error) {
      if (!isUnavailable) log.warn({ err: redactQueryParameters(error) }, messages.unavailable);
      isUnavailable = true;
      return failed;
    }
  };
  const runUntilClosed = async (): Promise<void> => {
    while (!closed) await pause(await tryWork());
  };
  const running = runUntilClosed();
  return {
    close: async () => {
      closed = true;
      wake();
      await running;
    },
  };
}
