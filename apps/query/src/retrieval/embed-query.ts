import { createDeadline, rejectOnAbort } from '@quarry/cancellation';
import type { EmbeddingSettings } from '@quarry/contracts';
import { type Embedder, EmbeddingFailed } from '@quarry/embedder';
import type { Log } from '@quarry/service-kit';

/** Returns the embedder for the given settings, or undefined if none is configured. */
export type EmbedderFor = (settings: EmbeddingSettings) => Embedder | undefined;

/**
 * Embeds a question. Returns undefined instead of a vector if no embedder is available, or if the embedder fails or
 * times out.
 */
export type EmbedQuery = (
  settings: EmbeddingSettings,
  text: string,
  call: { readonly log: Log; readonly signal: AbortSignal },
) => Promise<Float32Array | undefined>;

/** Maximum duration of an embedding call. After this time, only lexical search is used. */
const TIMEOUT_MS = 4_000;
const BREAKER: BreakerSettings = { failures: 3, openMs: 10_000 };

/**
 * Returns a function that embeds questions. It has a circuit breaker per embedder, so that searches do not wait for an
 * unavailable embedder.
 *
 * The returned function returns undefined if no embedder is configured, the embedder fails or times out, or its circuit
 * is open. It throws the signal's reason when the signal aborts.
 */
export function createEmbedQuery(getEmbedder: EmbedderFor, breakerSettings: BreakerSettings = BREAKER): EmbedQuery {
  const breakers = new WeakMap<Embedder, CircuitBreaker>();
  return async (settings, text, { log, signal }) => {
    signal.throwIfAborted();
    const embedder = getEmbedder(settings);
    if (embedder === undefined) return undefined;
    const breaker = breakers.get(embedder) ?? new CircuitBreaker(breakerSettings);
    breakers.set(embedder, breaker);
    if (!breaker.acquireCall()) return undefined;
    const deadline = createDeadline(signal, TIMEOUT_MS);
    try {
      // An embedder can ignore the signal, such as a local model that computes the vectors of a batch.
      const vector = await rejectOnAbort(embedder.embedQuery(text, { signal: deadline.signal }), deadline.signal);
      breaker.recordResponse();
      return vector;
    } catch (error) {
      if (isEmbedderUnavailable(error) || deadline.hasExpired()) breaker.recordFailure();
      else if (error instanceof EmbeddingFailed) breaker.recordResponse();
      else breaker.recordAbandonedCall();
      signal.throwIfAborted();
      if (!(error instanceof EmbeddingFailed) && !deadline.hasExpired()) throw error;
      log.warn({ err: error, model: settings.model }, 'the query was not embedded; the search uses words only');
      return undefined;
    } finally {
      deadline.release();
    }
  };
}

/**
 * Returns whether an error means that the embedder is unavailable, so that further calls would fail, too. It returns
 * false if the embedder refused the text, the key or the model.
 */
function isEmbedderUnavailable(error: unknown): boolean {
  return error instanceof EmbeddingFailed && error.code === 'embedder_unavailable';
}

/** Holds the settings of a circuit breaker. */
interface BreakerSettings {
  /** Number of consecutive failed calls after which the circuit opens. */
  readonly failures: number;
  /** Time for which an open circuit refuses all calls before it admits one call as a probe, in milliseconds. */
  readonly openMs: number;
  /** Returns the current time in milliseconds, from any origin, because only differences are used. */
  readonly now?: () => number;
}

/**
 * Decides whether to call a dependency. After a number of consecutive failures, the circuit opens and refuses all
 * calls. After a time limit, it admits one call as a probe. Until the probe has ended, it refuses all other calls at
 * once.
 *
 * No library is used: cockatiel makes the other calls wait for the probe, and opossum lacks types and measures the
 * duration of its calls itself.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #now: () => number;
  #failures = 0;
  #openUntil = -Infinity;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
  }

  /**
   * Requests a call. Returns true if the call is admitted. While the circuit is open, an admitted call is the probe, and
   * no other call is admitted until it has ended. The caller must report the outcome of an admitted call with
   * `recordResponse`, `recordFailure` or `recordAbandonedCall`.
   */
  acquireCall(): boolean {
    if (this.#failures < this.#settings.failures) return true;
    if (this.#now() < this.#openUntil) return false;
    // Refuse the other calls until the probe has ended or is overdue.
    this.#openUntil = this.#now() + this.#settings.openMs;
    return true;
  }

  /** Reports that the dependency responded, which closes the circuit. A response may refuse the content of the call. */
  recordResponse(): void {
    this.#failures = 0;
    this.#openUntil = -Infinity;
  }

  recordFailure(): void {
    this.#failures += 1;
    if (this.#failures >= this.#settings.failures) this.#openUntil = this.#now() + this.#settings.openMs;
  }

  /** Reports a call whose outcome does not show whether the dependency is available. The next call may be a probe. */
  recordAbandonedCall(): void {
    if (this.#failures >= this.#settings.failures) this.#openUntil = -Infinity;
  }
}
