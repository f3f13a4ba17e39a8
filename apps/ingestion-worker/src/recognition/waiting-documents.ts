import { TryLater } from '@quarry/contracts';

/**
 * Milliseconds that each document that waits for recognition adds to the delay of a document that returns to the queue.
 * So about one document per second is retried, whatever the number of waiting documents.
 */
const DELAY_PER_DOCUMENT_MS = 1_000;
const MIN_DELAY_MS = 5_000;
const MAX_DELAY_MS = 300_000;
/**
 * Time without a retry after which a document no longer counts as waiting, in milliseconds. If this worker has not
 * retried the document by then, another worker has recognized it, or its run was cancelled.
 */
const FORGET_AFTER_MS = 2 * MAX_DELAY_MS;

/**
 * Limits the number of documents that are recognized at once. Documents beyond the limit return to the queue, so that
 * they do not occupy the worker. Their keys are stored, so that a waiting document is not read again while the limit is
 * still reached.
 */
export class WaitingDocuments {
  readonly #limit: number;
  readonly #now: () => Date;
  readonly #random: () => number;
  /** Times at which documents were returned to the queue, keyed by the `key` of the document, oldest first. */
  readonly #waiting = new Map<string, number>();
  #active = 0;

  constructor(limit: number, now: () => Date, random = Math.random) {
    this.#limit = limit;
    this.#now = now;
    this.#random = random;
  }

  /**
   * Throws if a document has returned to the queue before and the limit is still reached. The document then returns to
   * the queue again. @throws TryLater
   */
  requeueIfWaiting(key: string): void {
    if (this.#waiting.has(key) && this.#active >= this.#limit) throw this.#postpone(key);
  }

  /** Runs `work`, which recognizes a document. @throws TryLater if the limit is reached; the errors of `work` */
  async recognize<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#active >= this.#limit) throw this.#postpone(key);
    this.#waiting.delete(key);
    this.#active += 1;
    try {
      return await work();
    } finally {
      this.#active -= 1;
    }
  }

  #postpone(key: string): TryLater {
    const now = this.#now().getTime();
    this.#waiting.delete(key);
    this.#waiting.set(key, now);
    for (const [known, since] of this.#waiting) {
      if (now - since < FORGET_AFTER_MS) break;
      this.#waiting.delete(known);
    }
    const delay = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, this.#waiting.size * DELAY_PER_DOCUMENT_MS));
    return new TryLater(Math.round(delay * (0.5 + this.#random() / 2)), 'the document waits for text recognition');
  }
}
