/** The answers that are being given, so that a service that stops can end them in good order. */
export interface OpenAnswers {
  /** Runs an answer. Its signal is aborted when its caller leaves or the service stops. */
  run(answer: (ending: AbortController) => Promise<void>): Promise<void>;
  /** Aborts every answer that is still being given, with this reason. */
  stop(reason: Error): void;
  /** Resolves when no answer is being given: those whose callers have left are still being written down. */
  settled(): Promise<void>;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Map<AbortController, Promise<void>>();
  return {
    run: async (answer) => {
      const ending = new AbortController();
      const given = answer(ending);
      open.set(ending, given);
      try {
        await given;
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
