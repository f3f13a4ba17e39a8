import { Semaphore } from '@quarry/cancellation';
import { splitIntoBatches, type EmbedDocumentsOptions, type Embedder, type EmbedOptions } from '@quarry/embedder';
import { redactSecretInError } from '@quarry/encrypted-secrets';
import { embedInParts, truncateText, type SentText } from './embed-in-parts.js';
import { retryRequest, type Clock } from './retry-request.js';
import { toUnitVector } from './unit-vector.js';

/** Describes the settings that the embedders of all providers share. */
export interface ProviderSettings {
  readonly apiKey?: string;
  readonly model: string;
  readonly dimensions: number;
  /** A prefix that is added to passages, for models that were trained with such a prefix, for example `passage: `. */
  readonly documentPrefix?: string;
  /** A prefix that is added to questions, such as `query: `. */
  readonly queryPrefix?: string;
  /** Maximum number of tokens per request, according to an estimate. */
  readonly batchTokens?: number;
  /**
   * Maximum number of texts per request. The embedder halves this number when the provider rejects a batch as too
   * large.
   */
  readonly batchTexts?: number;
  /** Maximum length of a text including its prefix, in UTF-16 code units. Longer texts are truncated. */
  readonly maxTextLength?: number;
  /** Maximum number of concurrent requests of all calls of an embedder together. */
  readonly concurrency?: number;
  /** Timeout of a request, in milliseconds. */
  readonly timeoutMs?: number;
  /** Time in milliseconds, from the first attempt of a request, after which no further attempt starts. */
  readonly retryTimeoutMs?: number;
}

export const DEFAULTS = {
  documentPrefix: '',
  queryPrefix: '',
  batchTokens: 16_000,
  batchTexts: 32,
  maxTextLength: Infinity,
  concurrency: 4,
  timeoutMs: 30_000,
  retryTimeoutMs: 60_000,
};

/**
 * Sends one request for a batch. Aborts the request when the signal is aborted.
 *
 * @returns one unvalidated value per text
 */
export type SendBatch = (
  texts: readonly string[],
  inputType: 'document' | 'query',
  signal: AbortSignal | undefined,
) => Promise<readonly unknown[]>;

/**
 * Creates an embedder that sends texts in concurrent batches. Retries each request until it succeeds, fails
 * permanently, or exceeds the retry timeout.
 */
export function createProviderEmbedder(givenSettings: ProviderSettings, send: SendBatch, clock: Clock): Embedder {
  const settings = { ...DEFAULTS, ...givenSettings };
  const { model, dimensions, documentPrefix, queryPrefix } = settings;
  const batches: BatchEmbedding = {
    settings,
    send,
    clock,
    semaphore: new Semaphore(settings.concurrency),
    size: { texts: settings.batchTexts },
  };
  return {
    model,
    dimensions,
    embedDocuments: (texts, options = {}) =>
      embedTexts(
        batches,
        'document',
        texts.map((text) => replaceEmptyText(documentPrefix + text)),
        options,
      ),
    embedQuery: async (text, { signal }: EmbedOptions = {}) => {
      const options = signal === undefined ? {} : { signal };
      const [vector] = await embedTexts(batches, 'query', [replaceEmptyText(queryPrefix + text)], options);
      if (vector === undefined) throw new Error('expected one vector for the query, found none');
      return vector;
    },
  };
}

/** Contains the settings and the state that all calls of one embedder share. */
interface BatchEmbedding {
  readonly settings: ProviderSettings & typeof DEFAULTS;
  readonly send: SendBatch;
  readonly clock: Clock;
  readonly semaphore: Semaphore;
  /** Maximum number of texts in a request. Decreases when the provider rejects a request as too large. */
  readonly size: { texts: number };
}

async function embedTexts(
  embedding: BatchEmbedding,
  inputType: 'document' | 'query',
  originalTexts: readonly string[],
  options: EmbedDocumentsOptions,
): Promise<readonly Float32Array[]> {
  const { settings, semaphore, size } = embedding;
  const { signal, onTruncated } = options;
  const texts = originalTexts.map((text) => truncateText(text, settings.maxTextLength));
  const failed = new AbortController();
  const retrySignal = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]);
  retrySignal.throwIfAborted();
  for (const [index, { length }] of originalTexts.entries()) {
    if (length > settings.maxTextLength) onTruncated?.({ index, embedded: texts[index]?.length ?? 0, length });
  }
  const request = createRetryingEmbed(embedding, inputType, { requestSignal: signal, retrySignal });
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
  const batches = splitIntoBatches(texts, { tokens: settings.batchTokens, texts: size.texts }).map((batch) => {
    const start = end;
    end += batch.length;
    const sent = batch.map((text, at) => ({ index: start + at, text }));
    // A batch keeps its slot of the semaphore while it waits for a retry, so that fewer batches call a provider that
    // has requested a delay.
    return semaphore.runTask(() => embedBatch(sent), retrySignal);
  });
  // Requests that were already sent are paid for, so their vectors are awaited and reported.
  await Promise.allSettled(batches);
  failed.signal.throwIfAborted();
  return (await Promise.all(batches)).flat();
}

/**
 * Creates a function that embeds texts with one request, and retries the request if it fails. `retrySignal` ends the
 * retries. `requestSignal` aborts a request that was already sent.
 */
function createRetryingEmbed(
  { settings, send, clock }: BatchEmbedding,
  inputType: 'document' | 'query',
  {
    requestSignal,
    retrySignal,
  }: { readonly requestSignal: AbortSignal | undefined; readonly retrySignal: AbortSignal },
): (texts: readonly string[]) => Promise<readonly Float32Array[]> {
  const { apiKey, model, dimensions, retryTimeoutMs } = settings;
  return async (texts) => {
    const sendAndNormalize = async (): Promise<readonly Float32Array[]> => {
      const values = await send(texts, inputType, requestSignal).catch((error: unknown) => {
        // Some providers quote the API key in their errors.
        redactSecretInError(error, apiKey);
        throw error;
      });
      return texts.map((_, index) => toUnitVector(values[index], model, dimensions));
    };
    return retryRequest(sendAndNormalize, { timeoutMs: retryTimeoutMs, signal: retrySignal, clock });
  };
}

/** Replaces an empty text by a space, because OpenAI rejects empty texts. */
function replaceEmptyText(text: string): string {
  return text === '' ? ' ' : text;
}
