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

/** Creates an embedder that sends texts in batches, several at a time, and repeats each batch until it succeeds or cannot. */
export function providerEmbedder(given: ProviderSettings, ask: Ask, clock: Clock): Embedder {
  const settings = { ...DEFAULTS, ...given };
  const { model, dimensions, documentPrefix, queryPrefix } = settings;
  const batches: BatchEmbedding = {
    settings,
    ask,
    clock,
    limiter: new Limiter(settings.concurrency),
    size: { texts: settings.batchTexts },
  };
  return {
    model,
    dimensions,
    embedDocuments: (texts, options = {}) =>
      embedTexts(
        batches,
        'document',
        texts.map((text) => notEmpty(documentPrefix + text)),
        options,
      ),
    embedQuery: async (text, { signal }: EmbedOptions = {}) => {
      const options = signal === undefined ? {} : { signal };
      const [vector] = await embedTexts(batches, 'query', [notEmpty(queryPrefix + text)], options);
      if (vector === undefined) throw new Error('one text gave no vector');
      return vector;
    },
  };
}

/** Holds what all calls of one embedder share. */
interface BatchEmbedding {
  readonly settings: ProviderSettings & typeof DEFAULTS;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly limiter: Limiter;
  /** Maximum number of texts in a request, which decreases when the provider rejects a request as too large. */
  readonly size: { texts: number };
}

async function embedTexts(
  embedding: BatchEmbedding,
  use: 'document' | 'query',
  given: readonly string[],
  options: EmbedDocumentsOptions,
): Promise<readonly Float32Array[]> {
  const { settings, limiter, size } = embedding;
  const { signal, onTruncated } = options;
  const texts = given.map((text) => truncate(text, settings.maxTextLength));
  const failed = new AbortController();
  const either = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]);
  either.throwIfAborted();
  for (const [index, { length }] of given.entries()) {
    if (length > settings.maxTextLength) onTruncated?.({ index, embedded: texts[index]?.length ?? 0, length });
  }
  const request = createRequest(embedding, use, { signal, either });
  const embedBatch = async (batch: readonly SentText[]): Promise<readonly Float32Array[]> => {
    try {
      const embedded = await embedInParts(batch, { ...options, request, size });
      return embedded.map(({ vector }) => vector);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  let end = 0;
  const batches = batchesOf(texts, { tokens: settings.batchTokens, texts: size.texts }).map((batch) => {
    const start = end;
    end += batch.length;
    const sent = batch.map((text, at) => ({ index: start + at, text }));
    // A waiting batch keeps its slot, so that no other request is sent to a provider that asked to wait.
    return limiter.run(() => embedBatch(sent));
  });
  // Requests that were sent are paid for, so their vectors are awaited and reported.
  await Promise.allSettled(batches);
  failed.signal.throwIfAborted();
  return (await Promise.all(batches)).flat();
}

/** Creates a function that embeds some texts, with retries until `either` aborts. A request that was sent only ends with `signal`. */
function createRequest(
  { settings, ask, clock }: BatchEmbedding,
  use: 'document' | 'query',
  { signal, either }: { readonly signal: AbortSignal | undefined; readonly either: AbortSignal },
): (texts: readonly string[]) => Promise<readonly Float32Array[]> {
  const { model, dimensions, patienceMs } = settings;
  return async (texts) => {
    const attempt = async (): Promise<readonly Float32Array[]> => {
      const values = await ask(texts, use, signal);
      return texts.map((_, index) => unitVector(values[index], model, dimensions));
    };
    return persist(attempt, { patienceMs, signal: either, clock });
  };
}

/** OpenAI refuses the empty text. */
function notEmpty(text: string): string {
  return text === '' ? ' ' : text;
}
