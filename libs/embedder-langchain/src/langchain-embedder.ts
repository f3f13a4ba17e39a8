import type { OpenAIEmbeddings } from '@langchain/openai';
import type { Embedder } from '@quarry/embedder';
import { SYSTEM_CLOCK, type Clock } from './retry-request.js';
import { DEFAULTS, createProviderEmbedder, type ProviderSettings } from './provider-embedder.js';
import { createProviderFetch, type Fetch } from './provider-fetch.js';

export interface LangChainEmbedderSettings extends ProviderSettings {
  /** The address of OpenAI or of a compatible server such as TEI, Ollama or vLLM, ending with `/v1`. */
  readonly baseUrl: string;
  /**
   * If true, each request contains `dimensions`. Default: true only for `text-embedding-3-…`, because most servers
   * reject `dimensions` for models with a fixed number of dimensions.
   */
  readonly sendDimensions?: boolean;
  readonly fetch?: Fetch;
}

/** Opens an embedder for any OpenAI-compatible server. Opening sends no request. */
export function openLangChainEmbedder(options: LangChainEmbedderSettings, clock: Clock = SYSTEM_CLOCK): Embedder {
  const settings = { ...DEFAULTS, ...options };
  return createProviderEmbedder(
    settings,
    async (texts, _use, signal) => (await createClient(settings, signal)).embedDocuments([...texts]),
    clock,
  );
}

/**
 * Creates a client per request: LangChain passes no signal to OpenAI's client, but the client's `fetch` can be aborted.
 * Loads LangChain and OpenAI's client, which have 700 modules, only for the first request: services without embeddings
 * do not need them.
 */
async function createClient(
  settings: LangChainEmbedderSettings & typeof DEFAULTS,
  signal: AbortSignal | undefined,
): Promise<OpenAIEmbeddings> {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  const sendDimensions = settings.sendDimensions ?? settings.model.startsWith('text-embedding-3');
  return new OpenAIEmbeddings({
    model: settings.model,
    // The client requires a key, so it gets a placeholder. `createProviderFetch` replaces all headers of the client.
    apiKey: settings.apiKey ?? 'none',
    ...(sendDimensions ? { dimensions: settings.dimensions } : {}),
    // The client's default is base64. Some servers reject base64, and others ignore it and return lists of numbers.
    encodingFormat: 'float',
    stripNewLines: false,
    batchSize: settings.batchTexts,
    timeout: settings.timeoutMs,
    // `createProviderEmbedder` handles retries, delays and concurrency.
    maxRetries: 0,
    maxConcurrency: Infinity,
    configuration: {
      baseURL: settings.baseUrl,
      fetch: createProviderFetch(settings.fetch ?? fetch, {
        headers: settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` },
        timeoutMs: settings.timeoutMs,
        signal,
      }),
    },
  });
}
