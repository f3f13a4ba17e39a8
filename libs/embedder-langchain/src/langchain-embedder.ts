import { OpenAIEmbeddings } from '@langchain/openai';
import type { Embedder } from '@quarry/embedder';
import { REAL_CLOCK, type Clock } from './persist.js';
import { DEFAULTS, providerEmbedder, type ProviderSettings } from './provider-embedder.js';
import { providerFetch, type Fetch } from './provider-fetch.js';

export interface LangChainEmbedderSettings extends ProviderSettings {
  /** Up to and with `/v1`: OpenAI's own address, or a TEI, Ollama, vLLM or other server that speaks its protocol. */
  readonly baseUrl: string;
  /** Asks for `dimensions`. Most servers refuse that for a model of one size, so it is on for `text-embedding-3-…` alone. */
  readonly sendDimensions?: boolean;
  readonly fetch?: Fetch;
}

/** Embeddings from any OpenAI-compatible address. Nothing is sent before the first text. */
export function openLangChainEmbedder(given: LangChainEmbedderSettings, clock: Clock = REAL_CLOCK): Embedder {
  const settings = { ...DEFAULTS, ...given };
  return providerEmbedder(
    settings,
    (texts, _use, signal) => clientFor(settings, signal).embedDocuments([...texts]),
    clock,
  );
}

/** One client a request: OpenAI's client takes no signal through LangChain, but its `fetch` can end with one. */
function clientFor(
  settings: LangChainEmbedderSettings & typeof DEFAULTS,
  signal: AbortSignal | undefined,
): OpenAIEmbeddings {
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
      fetch: providerFetch(settings.fetch ?? fetch, {
        headers: settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` },
        timeoutMs: settings.timeoutMs,
        signal,
      }),
    },
  });
}
