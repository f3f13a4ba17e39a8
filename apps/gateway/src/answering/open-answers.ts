/** Tracks the answers in progress, so that the service can abort them when it stops. */
export interface OpenAnswers {
  /** Runs an answer. The controller is aborted when the client disconnects or the service stops. */
  run(answer: (ending: AbortController) => Promise<void>): Promise<void>;
  /** Aborts every answer in progress with this reason. */
  stop(reason: Error): void;
  /** Resolves when no answer is in progress. Answers whose clients have disconnected are still being stored. */
  settled(): Promise<void>;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Map<AbortController, Promise<void>>();
  return {
    run: async (answer) => {
      const ending = new AbortController();
      const running = answer(ending);
      open.set(ending, running);
      try {
        await running;
      } finally {
        open.delete(ending);
      }
    },
    stop: (reason) => {
      for (const ending of open.keys()) ending.abort(reason);
    },
    settled: async () => {
      await Promise.allSettled(open.values());
    },
  };
}
