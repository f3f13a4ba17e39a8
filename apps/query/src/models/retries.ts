import { setTimeout as wait } from 'node:timers/promises';
import { ModelFailed, type ChatModel } from './chat-model.js';

export interface Retries {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_WAIT_MS = 300;
/** Who waits for an answer does not wait longer than this for a second try. */
const LONGEST_WAIT_MS = 8_000;

/** The same model, called again where that may help, as long as nothing of its answer has been passed on. */
export function withRetries(model: ChatModel, { attempts, wait: pause = realWait }: Retries): ChatModel {
  return {
    name: model.name,
    generate: async function* (call) {
      for (let attempt = 1; ; attempt += 1) {
        let spoke = false;
        try {
          for await (const piece of model.generate(call)) {
            spoke = true;
            yield piece;
          }
          return;
        } catch (error) {
          const ms = error instanceof ModelFailed && error.again ? waitBefore(attempt, error) : Infinity;
          if (spoke || attempt >= attempts || ms > LONGEST_WAIT_MS) throw error;
          await pause(ms, call.signal);
        }
      }
    },
  };
}

/** As long as the provider asks, or doubling, with a random part so that callers do not come back all at once. */
function waitBefore(attempt: number, failure: ModelFailed): number {
  return failure.afterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

async function realWait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
