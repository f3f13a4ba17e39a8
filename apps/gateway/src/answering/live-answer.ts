import type { AgentQueryResponse } from '@quarry/contracts';
import type { Turn } from '../conversations/turn.js';
import { problem } from '../problems.js';

/** Describes the end of a streamed answer: the complete response, or the problem that made the answer fail. */
export type StreamEnd =
  { readonly response: AgentQueryResponse } | { readonly problem: { readonly code: string; readonly message: string } };

/** Contains the text of a streamed answer so far, and the outcome once the answer has ended. */
export interface AnswerProgress {
  readonly text: string;
  /** The outcome of the answer. Undefined while the answer is generated. */
  readonly end: StreamEnd | undefined;
}

/** Maximum number of characters of a resumable answer. The answer stays in memory until it has ended. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Determines when an answer is aborted because no client follows it. */
export interface AbandonmentRules {
  /** Time in milliseconds for which the answer continues without a client. Infinity: until its end. */
  readonly graceMs: number;
  /**
   * Returns the time in milliseconds since another gateway last recorded a client that follows the answer. Undefined:
   * no other gateway has recorded one.
   */
  readonly getRemoteIdleMs: () => Promise<number | undefined>;
  /** Aborts the generation of the answer. */
  readonly abort: (reason: Error) => void;
}

/** An answer that this gateway generates, and that continues for some time without a client. */
export class LiveAnswer {
  #text = '';
  #end: StreamEnd | undefined;
  #followers = 0;
  #graceTimer: NodeJS.Timeout | undefined;
  #changed = Promise.withResolvers<undefined>();
  readonly #rules: AbandonmentRules;

  constructor(
    readonly turn: Turn,
    rules: AbandonmentRules,
  ) {
    this.#rules = rules;
  }

  get progress(): AnswerProgress {
    return { text: this.#text, end: this.#end };
  }

  /**
   * Appends text to the answer. Clients that follow the answer receive the text.
   *
   * @throws Problem if the answer becomes too long
   */
  append(text: string): void {
    if (this.#text.length + text.length > MAX_TEXT_LENGTH) {
      throw problem('answer_failed', `A resumable answer is limited to ${MAX_TEXT_LENGTH} characters.`);
    }
    this.#text += text;
    this.#notifyFollowers();
  }

  /** Ends the answer for all clients that follow it. */
  complete(end: StreamEnd): void {
    this.#end = end;
    clearTimeout(this.#graceTimer);
    this.#notifyFollowers();
  }

  abort(reason: Error): void {
    this.#rules.abort(reason);
  }

  /** Yields the progress at once and after each change, until the answer has ended or the client has disconnected. */
  async *follow(disconnected: AbortSignal): AsyncGenerator<AnswerProgress> {
    this.#followers += 1;
    clearTimeout(this.#graceTimer);
    const wake = (): void => {
      this.#notifyFollowers();
    };
    disconnected.addEventListener('abort', wake);
    try {
      while (!disconnected.aborted) {
        const changed = this.#changed.promise;
        const { progress } = this;
        yield progress;
        // The answer may have ended while the client received `progress`.
        if (progress.end !== undefined) return;
        await changed;
      }
    } finally {
      disconnected.removeEventListener('abort', wake);
      this.#followers -= 1;
      if (this.#followers === 0) this.#startGracePeriod(this.#rules.graceMs);
    }
  }

  #notifyFollowers(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers<undefined>();
  }

  #startGracePeriod(durationMs: number): void {
    if (this.#end !== undefined || durationMs === Infinity) return;
    this.#graceTimer = setTimeout(() => void this.#endGracePeriod(), durationMs);
  }

  async #endGracePeriod(): Promise<void> {
    const { graceMs, getRemoteIdleMs, abort } = this.#rules;
    const idleMs = (await getRemoteIdleMs()) ?? graceMs;
    if (this.#followers > 0) return;
    if (idleMs < graceMs) this.#startGracePeriod(graceMs - idleMs);
    else abort(new Error('the client disconnected'));
  }
}
