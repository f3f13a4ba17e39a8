/** Tracks the answers that are in progress, so that the service can wait for them or abort them when it stops. */
export interface OpenAnswers {
  /**
   * Calls `answer`, and tracks the answer until the returned promise settles. `abortAll` aborts the controller that
   * `answer` receives.
   */
  run(answer: (controller: AbortController) => Promise<void>): Promise<void>;
  /** Aborts all answers that are in progress, with this reason. */
  abortAll(reason: Error): void;
  /** Resolves when the answers that are in progress have ended, including those whose clients have disconnected. */
  waitUntilDone(): Promise<void>;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Map<AbortController, Promise<void>>();
  return {
    run: async (answer) => {
      const controller = new AbortController();
      const running = answer(controller);
      open.set(controller, running);
      try {
        await running;
      } finally {
        open.delete(controller);
      }
    },
    abortAll: (reason) => {
      for (const controller of open.keys()) controller.abort(reason);
    },
    waitUntilDone: async () => {
      await Promise.allSettled(open.values());
    },
  };
}
