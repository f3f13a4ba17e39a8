import { OpenAIEmbeddings } from '@langchain/openai';
import { batchesOf, type Embedder, type EmbedOptions } from '@quarry/embedder';
import { Limiter } from './limiter.js';
import { persist, REAL_CLOCK, type Clock } from './persist.js';
import { providerFetch, type Fetch } from './provider-fetch.js';
import { unitVector } from './unit-vector.js';

export interface LangChainEmbedderSettings {
  /** Up to and with `/v1`: OpenAI's own address, or a TEI, Ollama, vLLM or other server that speaks its protocol. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model: string;
  readonly dimensions: number;
  /** Asks for `dimensions`. Most servers refuse that for a model of one size, so it is on for `text-embedding-3-…` alone. */
  readonly sendDimensions?: boolean;
  /** Goes in front of a passage, for models that were trained with one, such as `passage: `. */
  readonly documentPrefix?: string;
  /** Goes in front of a question, such as `query: `. */
  readonly queryPrefix?: string;
  /** The most tokens in one request, by estimate. */
  readonly batchTokens?: number;
  /** The most texts in one request. TEI refuses more than 32 unless told otherwise. */
  readonly batchTexts?: number;
  /** Requests at once, over all calls. */
  readonly concurrency?: number;
  /** For one request. */
  readonly timeoutMs?: number;
  /** For one batch with all of its tries and waits. */
  readonly patienceMs?: number;
  readonly fetch?: Fetch;
}

const DEFAULTS = {
  documentPrefix: '',
  queryPrefix: '',
  batchTokens: 16_000,
  batchTexts: 32,
  concurrency: 4,
  timeoutMs: 30_000,
  patienceMs: 60_000,
};

/** Embeddings from any OpenAI-compatible address. Nothing is sent before the first text. */
export function openLangChainEmbedder(given: LangChainEmbedderSettings, clock: Clock = REAL_CLOCK): Embedder {
  const settings = { ...DEFAULTS, ...given };
  const limiter = new Limiter(settings.concurrency);

  const embed = async (texts: readonly string[], { signal }: EmbedOptions = {}): Promise<readonly Float32Array[]> => {
    const failed = new AbortController();
    const either = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]);
    either.throwIfAborted();
    const client = clientFor(settings, either);
    const batches = batchesOf(texts, { tokens: settings.batchTokens, texts: settings.batchTexts });
    const embedBatch = async (batch: readonly string[]): Promise<readonly Float32Array[]> => {
      const request = (): Promise<readonly unknown[]> => client.embedDocuments([...batch]);
      // A batch keeps its turn while it waits: a provider that asks to wait is asked by no others meanwhile.
      const vectors = await limiter.run(() =>
        persist(request, { patienceMs: settings.patienceMs, signal: either, clock }),
      );
      return vectors.map((vector) => unitVector(vector, settings.model, settings.dimensions));
    };
    try {
      return (await Promise.all(batches.map(embedBatch))).flat();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };

  return {
    model: settings.model,
    dimensions: settings.dimensions,
    embedDocuments: (texts, options) =>
      embed(
        texts.map((text) => notEmpty(settings.documentPrefix + text)),
        options,
      ),
    embedQuery: async (text, options) => {
      const [vector] = await embed([notEmpty(settings.queryPrefix + text)], options);
      if (vector === undefined) throw new Error('one text gave no vector');
      return vector;
    },
  };
}

/** One client a call: OpenAI's client takes no signal through LangChain, but its `fetch` can end with one. */
function clientFor(settings: LangChainEmbedderSettings & typeof DEFAULTS, signal: AbortSignal): OpenAIEmbeddings {
  const sendDimensions = settings.sendDimensions ?? settings.model.startsWith('text-embedding-3');
  return new OpenAIEmbeddings({
    model: settings.model,
    // The client does not start without a key; `providerFetch` sends the real one, or none.
    apiKey: settings.apiKey ?? 'none',
    ...(sendDimensions ? { dimensions: settings.dimensions } : {}),
    // Asked for base64, which is the client's default, some servers answer in lists and others refuse.
    encodingFormat: 'float',
    stripNewLines: false,
    batchSize: settings.batchTexts,
    timeout: settings.timeoutMs,
    // Repeating, waiting and taking turns is done here.
    maxRetries: 0,
    maxConcurrency: Infinity,
    configuration: {
      baseURL: settings.baseUrl,
      fetch: providerFetch(settings.fetch ?? fetch, { apiKey: settings.apiKey, timeoutMs: settings.timeoutMs, signal }),
    },
  });
}

/** OpenAI refuses the empty text. */
function notEmpty(text: string): string {
  return text === '' ? ' ' : text;
}
