import { setTimeout as wait } from 'node:timers/promises';
import { ModelFailed, type ChatModel } from './chat-model.js';

export interface Retries {
  /** Maximum number of calls of the model per answer, including the first call. */
  readonly attempts: number;
  /** Resolves after the given milliseconds; rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_RETRY_DELAY_MS = 300;
/** Maximum delay before a retry, so that a waiting user receives an answer or an error soon. */
const MAX_RETRY_DELAY_MS = 8_000;

/** Retries a failed call if a retry may succeed and no part of the answer has been yielded yet. */
export function withRetries(model: ChatModel, { attempts, wait: pause = waitOrAbort }: Retries): ChatModel {
  return {
    name: model.name,
    generate: async function* (call) {
      for (let attempt = 1; ; attempt += 1) {
        let hasStarted = false;
        try {
          for await (const piece of model.generate(call)) {
            hasStarted = true;
            yield piece;
          }
          return;
        } catch (error) {
          const ms = error instanceof ModelFailed && error.isRetryable ? getRetryDelay(attempt, error) : Infinity;
          if (hasStarted || attempt >= attempts || ms > MAX_RETRY_DELAY_MS) throw error;
          await pause(ms, call.signal);
        }
      }
    },
  };
}

/**
 * Returns the delay that the provider requires, in milliseconds. If it requires none, or a delay of 0, returns an
 * exponential backoff with jitter.
 */
function getRetryDelay(attempt: number, { afterMs = 0 }: ModelFailed): number {
  return afterMs > 0 ? afterMs : FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
