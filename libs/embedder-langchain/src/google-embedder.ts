import type { Embedder } from '@quarry/embedder';
import { REAL_CLOCK, type Clock } from './persist.js';
import { property } from './property.js';
import { DEFAULTS, providerEmbedder, type ProviderSettings } from './provider-embedder.js';
import { providerFetch, type Fetch } from './provider-fetch.js';
import { RefusedByProvider } from './refused-by-provider.js';

export interface GoogleEmbedderSettings extends ProviderSettings {
  /** Without a version; Google's own when absent. */
  readonly baseUrl?: string;
  readonly fetch?: Fetch;
}

const GOOGLE_ADDRESS = 'https://generativelanguage.googleapis.com';
/** What Google is to embed a text for. */
const TASKS = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' };

/**
 * Embeddings of Google's Gemini API, by `models.batchEmbedContents`. LangChain's older package for it ends the process when a
 * request is aborted, and the newer one has no embeddings. Nothing is sent before the first text.
 */
export function openGoogleEmbedder(given: GoogleEmbedderSettings, clock: Clock = REAL_CLOCK): Embedder {
  const { baseUrl = GOOGLE_ADDRESS, apiKey, timeoutMs = DEFAULTS.timeoutMs, dimensions } = given;
  const model = given.model.startsWith('models/') ? given.model : `models/${given.model}`;
  const url = `${baseUrl.replace(/\/+$/, '')}/v1beta/${model}:batchEmbedContents`;
  const headers = apiKey === undefined ? {} : { 'x-goog-api-key': apiKey };
  return providerEmbedder(
    given,
    async (texts, use, signal) => {
      const requests = texts.map((text) => ({
        model,
        content: { parts: [{ text }] },
        taskType: TASKS[use],
        outputDimensionality: dimensions,
      }));
      const send = providerFetch(given.fetch ?? fetch, { headers, timeoutMs, signal });
      return vectorsOf(await answerTo(send, url, JSON.stringify({ requests })));
    },
    clock,
  );
}

/** @throws RefusedByProvider, or an Error when no answer came, which asking again may change */
async function answerTo(send: Fetch, url: string, body: string): Promise<string> {
  const [response, text] = await send(url, { method: 'POST', body })
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((error: unknown) => {
      throw new Error('no answer', { cause: error });
    });
  if (!response.ok) throw new RefusedByProvider(response.status, response.headers, text);
  return text;
}

/** @throws TypeError when the answer is of another shape, which asking again would not change */
function vectorsOf(text: string): readonly unknown[] {
  const embeddings = property(parsed(text), 'embeddings');
  if (!Array.isArray(embeddings)) throw new TypeError('embeddings were expected in the answer');
  return embeddings.map((embedding) => property(embedding, 'values'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError('the answer is no JSON', { cause: error });
  }
}
