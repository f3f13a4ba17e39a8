import type { Embedder } from '@quarry/embedder';
import { SYSTEM_CLOCK, type Clock } from './retry-request.js';
import { getFieldOrUndefined } from './get-field-or-undefined.js';
import { DEFAULTS, createProviderEmbedder, type ProviderSettings } from './provider-embedder.js';
import { createProviderFetch, type Fetch } from './provider-fetch.js';
import { RefusedByProvider } from './refused-by-provider.js';

export interface GoogleEmbedderSettings extends ProviderSettings {
  /** The base address of the API, without a version. Default: the address of Google. */
  readonly baseUrl?: string;
  readonly fetch?: Fetch;
}

const GOOGLE_ADDRESS = 'https://generativelanguage.googleapis.com';
/** Google's task types for passages and for questions. */
const TASKS = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' };

/**
 * Opens an embedder for Google's Gemini API (`models.batchEmbedContents`). Opening sends no request. The embedder does
 * not use LangChain. LangChain's older package for this API ends the process when a request is aborted, and its newer
 * one has no embeddings.
 */
export function openGoogleEmbedder(options: GoogleEmbedderSettings, clock: Clock = SYSTEM_CLOCK): Embedder {
  const { baseUrl = GOOGLE_ADDRESS, apiKey, timeoutMs = DEFAULTS.timeoutMs, dimensions } = options;
  const model = options.model.startsWith('models/') ? options.model : `models/${options.model}`;
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1beta/${model}:batchEmbedContents`;
  const headers = apiKey === undefined ? {} : { 'x-goog-api-key': apiKey };
  return createProviderEmbedder(
    options,
    async (texts, inputType, signal) => {
      const requests = texts.map((text) => ({
        model,
        content: { parts: [{ text }] },
        taskType: TASKS[inputType],
        outputDimensionality: dimensions,
      }));
      const send = createProviderFetch(options.fetch ?? fetch, { headers, timeoutMs, signal });
      return parseVectors(await postJson(send, url, JSON.stringify({ requests })));
    },
    clock,
  );
}

/**
 * Sends a request and reads the response.
 *
 * @throws RefusedByProvider for an unsuccessful status; Error, which `decideRetry` treats as temporary, if there was no
 * response
 */
async function postJson(send: Fetch, url: string, body: string): Promise<string> {
  const [response, text] = await send(url, { method: 'POST', body })
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((error: unknown) => {
      throw new Error('expected a response of the embedding provider, found none', { cause: error });
    });
  if (!response.ok) throw new RefusedByProvider(response.status, response.headers, text);
  return text;
}

/**
 * Extracts the vectors from a response without validating them.
 *
 * @throws TypeError when the response has another format, so that the request is retried
 */
function parseVectors(text: string): readonly unknown[] {
  const embeddings = getFieldOrUndefined(parseJson(text), 'embeddings');
  if (!Array.isArray(embeddings))
    throw new TypeError('expected a list of embeddings in the response of the embedding provider, found none');
  return embeddings.map((embedding) => getFieldOrUndefined(embedding, 'values'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError('expected JSON in the response of the embedding provider, found something else', {
      cause: error,
    });
  }
}
