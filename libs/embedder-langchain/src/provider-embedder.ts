import { batchesOf, type EmbedDocumentsOptions, type Embedder, type EmbedOptions } from '@quarry/embedder';
import { embedInParts, type SentText } from './embed-in-parts.js';
import { Limiter } from './limiter.js';
import { persist, type Clock } from './persist.js';
import { truncate } from './truncate.js';
import { unitVector } from './unit-vector.js';

/** What every provider is told, and how it is treated. */
export interface ProviderSettings {
  readonly apiKey?: string;
  readonly model: string;
  readonly dimensions: number;
  /** Goes in front of a passage, for models that were trained with one, such as `passage: `. */
  readonly documentPrefix?: string;
  /** Goes in front of a question, such as `query: `. */
  readonly queryPrefix?: string;
  /** The most tokens in one request, by estimate. */
  readonly batchTokens?: number;
  /** The most texts in one request. Halved where the provider refuses so many. */
  readonly batchTexts?: number;
  /** Of a longer text, the beginning is embedded. In UTF-16 code units, prefix included. */
  readonly maxTextLength?: number;
  /** Requests at once, over all calls. */
  readonly concurrency?: number;
  /** For one request. */
  readonly timeoutMs?: number;
  /** For one batch with all of its tries and waits. */
  readonly patienceMs?: number;
}

export const DEFAULTS = {
  documentPrefix: '',
  queryPrefix: '',
  batchTokens: 16_000,
  batchTexts: 32,
  maxTextLength: Infinity,
  concurrency: 4,
  timeoutMs: 30_000,
  patienceMs: 60_000,
};

/** Asks a provider once for one batch, and ends with the signal. @returns what it gave, one value a text, unchecked */
export type Ask = (
  texts: readonly string[],
  use: 'document' | 'query',
  signal: AbortSignal | undefined,
) => Promise<readonly unknown[]>;

/** An embedder behind an address: texts in batches, a few at once, each repeated until it succeeds or cannot. */
export function providerEmbedder(given: ProviderSettings, ask: Ask, clock: Clock): Embedder {
  const settings = { ...DEFAULTS, ...given };
  const { model, dimensions, patienceMs } = settings;
  const limiter = new Limiter(settings.concurrency);
  const size = { texts: settings.batchTexts };

  const embed = async (given: readonly string[], use: 'document' | 'query', options: EmbedDocumentsOptions) => {
    const { signal, onTruncated } = options;
    const texts = given.map((text) => truncate(text, settings.maxTextLength));
    const failed = new AbortController();
    const either = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]);
    either.throwIfAborted();
    for (const [index, { length }] of given.entries()) {
      if (length > settings.maxTextLength) onTruncated?.({ index, embedded: texts[index]?.length ?? 0, length });
    }
    let end = 0;
    const request = async (some: readonly string[]): Promise<readonly Float32Array[]> => {
      const attempt = async (): Promise<readonly Float32Array[]> => {
        const values = await ask(some, use, signal);
        return some.map((_, index) => unitVector(values[index], model, dimensions));
      };
      return persist(attempt, { patienceMs, signal: either, clock });
    };
    const embedBatch = async (batch: readonly SentText[]): Promise<readonly Float32Array[]> => {
      try {
        const embedded = await embedInParts(batch, { ...options, request, size });
        return embedded.map(({ vector }) => vector);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    };
    const batches = batchesOf(texts, { tokens: settings.batchTokens, texts: size.texts }).map((batch) => {
      const start = end;
      end += batch.length;
      const sent = batch.map((text, at) => ({ index: start + at, text }));
      // A batch keeps its turn while it waits: a provider that asks to wait is asked by no others meanwhile.
      return limiter.run(() => embedBatch(sent));
    });
    // Requests that were sent already are paid for, so their vectors are still waited for and told.
    await Promise.allSettled(batches);
    failed.signal.throwIfAborted();
    return (await Promise.all(batches)).flat();
  };

  return {
    model,
    dimensions,
    embedDocuments: (texts, options = {}) =>
      embed(
        texts.map((text) => notEmpty(settings.documentPrefix + text)),
        'document',
        options,
      ),
    embedQuery: async (text, { signal }: EmbedOptions = {}) => {
      const [vector] = await embed(
        [notEmpty(settings.queryPrefix + text)],
        'query',
        signal === undefined ? {} : { signal },
      );
      if (vector === undefined) throw new Error('one text gave no vector');
      return vector;
    },
  };
}

/** OpenAI refuses the empty text. */
function notEmpty(text: string): string {
  return text === '' ? ' ' : text;
}
