import { TryLater } from '@quarry/contracts';

/**
 * Milliseconds that each waiting document adds to the delay of a postponed document. About one document per second is
 * thus retried, however many documents wait.
 */
const DELAY_PER_DOCUMENT_MS = 1_000;
const MIN_DELAY_MS = 5_000;
const MAX_DELAY_MS = 300_000;
/**
 * Time without a retry after which a document no longer counts as waiting, in milliseconds. By then, another worker has
 * recognized the document, or the run was cancelled.
 */
const FORGET_AFTER_MS = 2 * MAX_DELAY_MS;

/**
 * Limits the number of documents that are recognized at once. Further documents return to the queue, so that they do
 * not occupy the worker. The keys of waiting documents are stored, so that no document is read again before a slot is
 * free.
 */
export class WaitingDocuments {
  readonly #limit: number;
  readonly #now: () => Date;
  readonly #random: () => number;
  /** Times at which documents were returned to the queue, by their key, oldest first. */
  readonly #waiting = new Map<string, number>();
  #active = 0;

  constructor(limit: number, now: () => Date, random = Math.random) {
    this.#limit = limit;
    this.#now = now;
    this.#random = random;
  }

  /** Returns a document to the queue if the document waits for recognition and no slot is free. @throws TryLater */
  requeueIfWaiting(key: string): void {
    if (this.#waiting.has(key) && this.#active >= this.#limit) throw this.#postpone(key);
  }

  /** Recognizes a document. @throws TryLater if too many documents are being recognized; the errors of `work` */
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
