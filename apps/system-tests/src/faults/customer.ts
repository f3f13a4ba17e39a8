import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError, type QuarryClient } from '@quarry/client';
import type { FragileStack } from './faults.js';
import { Violation } from './violation.js';

const RETRY_MS = 250;
/** Time limit of a request, which exceeds any fault with its restart. */
const ANSWER_LIMIT_MS = 180_000;
const REQUEST_TIMEOUT_MS = 45_000;

const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);
/** Lists the error codes after which the API documentation requires clients to repeat a request. */
const RETRYABLE_CODES = new Set(['idempotency_key_in_use', 'unexpected_answer', 'stream_interrupted']);

/** Describes the limit for one attempt of a request. */
export interface Attempt {
  readonly quarry: QuarryClient;
  readonly signal: AbortSignal;
}

/** Sends API requests, and repeats each until it is answered, as the API documentation requires. */
export class Customer {
  /** The number of searches and questions. */
  readonly asked = { attempted: 0, answered: 0 };

  constructor(private readonly stack: Pick<FragileStack, 'connect' | 'verifyAlive'>) {}

  /** Sends a request. @throws Violation when it is refused, or not answered in bounded time */
  async sendRequest<T>(name: string, send: (attempt: Attempt) => Promise<T>): Promise<T> {
    const deadline = Date.now() + ANSWER_LIMIT_MS;
    for (;;) {
      this.stack.verifyAlive();
      try {
        return await send({ quarry: this.stack.connect(), signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      } catch (error) {
        if (!isRetryable(error)) throw new Violation('refused', `${name}: ${String(error)}`, { cause: error });
        if (Date.now() > deadline) {
          const seconds = ANSWER_LIMIT_MS / 1_000;
          throw new Violation('stuck', `${name}: expected an answer within ${seconds} s, found ${String(error)}`, {
            cause: error,
          });
        }
      }
      await pause(RETRY_MS);
    }
  }

  /** Sends a request that has no effect if its object was removed or has settled. */
  async sendOrSkip(
    name: string,
    skipped: readonly string[],
    send: (attempt: Attempt) => Promise<unknown>,
  ): Promise<void> {
    await this.sendRequest(name, async (attempt) => {
      await send(attempt).catch((error: unknown) => {
        if (!(error instanceof QuarryError) || !skipped.includes(error.code)) throw error;
      });
    });
  }

  /** Returns the texts of a search result. */
  async searchDatastore(datastoreId: string, words: readonly string[]): Promise<readonly string[]> {
    return this.sendQuery(`search for ${words.join(' ')}`, async ({ quarry, signal }) => {
      const found = await quarry.queryDatastore(datastoreId, { query: words.join(' '), topK: 100 }, { signal });
      return found.map(({ text }) => text);
    });
  }

  /** Sends a request that counts as a query. */
  async sendQuery<T>(name: string, send: (attempt: Attempt) => Promise<T>): Promise<T> {
    const answer = await this.sendRequest(name, async (attempt) => {
      this.asked.attempted += 1;
      return send(attempt);
    });
    this.asked.answered += 1;
    return answer;
  }
}

/**
 * Returns whether a request may be repeated: every error that is not a response of Quarry is a broken connection or a timeout.
 */
function isRetryable(error: unknown): boolean {
  if (error instanceof Violation) return false;
  if (!(error instanceof QuarryError)) return true;
  return RETRYABLE.has(error.status) || RETRYABLE_CODES.has(error.code);
}
