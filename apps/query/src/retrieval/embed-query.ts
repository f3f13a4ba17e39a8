import type { EmbeddingSettings } from '@quarry/contracts';
import { EmbeddingFailed, type Embedder } from '@quarry/embedder';
import type { Log } from '@quarry/service-kit';
import { CircuitBreaker, type BreakerSettings } from './circuit-breaker.js';

/** Undefined: no embedder is configured for these settings. */
export type EmbedderFor = (settings: EmbeddingSettings) => Embedder | undefined;

/** Returns a question's vector, or undefined where there is none. */
export type EmbedQuery = (
  settings: EmbeddingSettings,
  text: string,
  call: { readonly log: Log; readonly signal: AbortSignal },
) => Promise<Float32Array | undefined>;

/** Later than this, a search by words alone is better than one with vectors. */
const TIMEOUT_MS = 4_000;
const BREAKER: BreakerSettings = { failures: 3, openMs: 10_000 };

/**
 * Returns a function that embeds questions, each embedder behind a circuit breaker: while it is down, a search does not wait
 * for it.
 *
 * The function returns undefined where the embedder is not configured, fails, is late or is not asked; it throws the signal's
 * reason when that aborts.
 */
export function embedQueryWith(embedderFor: EmbedderFor, breakerSettings: BreakerSettings = BREAKER): EmbedQuery {
  const breakers = new WeakMap<Embedder, CircuitBreaker>();
  return async (settings, text, { log, signal }) => {
    signal.throwIfAborted();
    const embedder = embedderFor(settings);
    if (embedder === undefined) return undefined;
    const breaker = breakers.get(embedder) ?? new CircuitBreaker(breakerSettings);
    breakers.set(embedder, breaker);
    if (!breaker.admits()) return undefined;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const vector = await embedder.embedQuery(text, { signal: AbortSignal.any([signal, timeout]) });
      breaker.succeeded();
      return vector;
    } catch (error) {
      if (isUnavailable(error) || timeout.aborted) breaker.failed();
      else breaker.abandoned();
      signal.throwIfAborted();
      if (!(error instanceof EmbeddingFailed) && !timeout.aborted) throw error;
      log.warn({ err: error, model: settings.model }, 'the query was not embedded; searching by words alone');
      return undefined;
    }
  };
}

/** A refusal concerns the text, the key or the model, and comes at once. */
function isUnavailable(error: unknown): boolean {
  return error instanceof EmbeddingFailed && error.code === 'embedder_unavailable';
}
