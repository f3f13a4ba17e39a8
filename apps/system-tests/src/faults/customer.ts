import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError, type QuarryClient } from '@quarry/client';
import type { FragileStack } from './faults.js';
import { Violation } from './violation.js';

const RETRY_MS = 250;
/** Longer than any fault and the restart after it take together. */
const ANSWER_LIMIT_MS = 180_000;
const REQUEST_TIMEOUT_MS = 45_000;

const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);
/** Such a request is repeated, as the documentation of these codes asks. */
const RETRYABLE_CODES = new Set(['idempotency_key_in_use', 'unexpected_answer', 'stream_interrupted']);

/** For one attempt of a request. */
export interface Attempt {
  readonly quarry: QuarryClient;
  readonly signal: AbortSignal;
}

/** A caller that repeats each request until it is answered, as the API's documentation tells callers to. */
export class Customer {
  /** Searches and questions. */
  readonly asked = { attempted: 0, answered: 0 };

  constructor(private readonly stack: Pick<FragileStack, 'connect' | 'verifyAlive'>) {}

  /** @throws Violation when the request is refused, or not answered in bounded time */
  async request<T>(name: string, send: (attempt: Attempt) => Promise<T>): Promise<T> {
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

  /** Sends a request that changes nothing when its object is gone or has nothing under way. */
  async requestOrSkip(
    name: string,
    skipped: readonly string[],
    send: (attempt: Attempt) => Promise<unknown>,
  ): Promise<void> {
    await this.request(name, async (attempt) => {
      await send(attempt).catch((error: unknown) => {
        if (!(error instanceof QuarryError) || !skipped.includes(error.code)) throw error;
      });
    });
  }

  /** Returns the texts that a search finds. */
  async search(datastoreId: string, words: readonly string[]): Promise<readonly string[]> {
    return this.query(`search for ${words.join(' ')}`, async ({ quarry, signal }) => {
      const found = await quarry.queryDatastore(datastoreId, { query: words.join(' '), topK: 100 }, { signal });
      return found.map(({ text }) => text);
    });
  }

  /** Sends a request that counts as a query. */
  async query<T>(name: string, send: (attempt: Attempt) => Promise<T>): Promise<T> {
    const answer = await this.request(name, async (attempt) => {
      this.asked.attempted += 1;
      return send(attempt);
    });
    this.asked.answered += 1;
    return answer;
  }
}

/** Anything but an answer of Quarry comes from a connection that broke or timed out. */
function isRetryable(error: unknown): boolean {
  if (error instanceof Violation) return false;
  if (!(error instanceof QuarryError)) return true;
  return RETRYABLE.has(error.status) || RETRYABLE_CODES.has(error.code);
}
