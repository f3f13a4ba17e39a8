import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError, type QuarryClient } from '@quarry/client';
import type { FragileStack } from './faults.js';
import { Violation } from './violation.js';

const RETRY_MS = 250;
/**
 * Time limit of a request with its retries, in milliseconds. It exceeds the duration of the longest fault and of the
 * restart after this fault.
 */
const ANSWER_LIMIT_MS = 180_000;
const REQUEST_TIMEOUT_MS = 45_000;

const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);
/** The error codes after which clients repeat a request, according to the API documentation. */
const RETRYABLE_CODES = new Set(['idempotency_key_in_use', 'unexpected_answer', 'stream_interrupted']);

/**
 * Describes an attempt to send a request: the client to send it with, and the signal that aborts it after a time limit.
 */
export interface Attempt {
  readonly quarry: QuarryClient;
  readonly signal: AbortSignal;
}

/** A simulated customer. It repeats each request until it is answered, as the API documentation requires. */
export class Customer {
  /**
   * Number of attempts to send a search or a question, including retries (`attempted`), and number of searches and
   * questions that succeeded (`answered`).
   */
  readonly asked = { attempted: 0, answered: 0 };

  constructor(private readonly stack: Pick<FragileStack, 'connect' | 'verifyAlive'>) {}

  /** Sends a request with retries. @throws Violation if it is refused, or not answered within `ANSWER_LIMIT_MS` */
  async sendRequest<T>(name: string, send: (attempt: Attempt) => Promise<T>): Promise<T> {
    const deadline = Date.now() + ANSWER_LIMIT_MS;
    for (;;) {
      this.stack.verifyAlive();
      try {
        return await send({ quarry: this.stack.connect(), signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      } catch (error) {
        if (!isRetryableError(error))
          throw new Violation('refused', `${name}: expected success, found ${String(error)}`, { cause: error });
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

  /**
   * Sends a request with retries, and ignores expected errors, for example because the resource was removed before.
   *
   * @param skipped the ignored error codes
   */
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

  /** Searches a datastore for any of the words. Returns the texts of the results. */
  async searchDatastore(datastoreId: string, words: readonly string[]): Promise<readonly string[]> {
    return this.sendQuery(`search for ${words.join(' ')}`, async ({ quarry, signal }) => {
      const found = await quarry.queryDatastore(datastoreId, { query: words.join(' '), topK: 100 }, { signal });
      return found.map(({ text }) => text);
    });
  }

  /** Sends a search or a question, which Quarry counts as a query in the usage, and counts it in `asked`. */
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
 * Returns whether the customer repeats a request after this error. Errors other than `QuarryError` are broken
 * connections or timeouts.
 */
function isRetryableError(error: unknown): boolean {
  if (error instanceof Violation) return false;
  if (!(error instanceof QuarryError)) return true;
  return RETRYABLE.has(error.status) || RETRYABLE_CODES.has(error.code);
}
