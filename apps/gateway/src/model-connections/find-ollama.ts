import type { LocalModelsResponse } from '@quarry/contracts';
import { readLimitedText } from '@quarry/http-responses';

const TIMEOUT_MS = 1_500;
const MAX_BODY_BYTES = 1_048_576;
const MAX_MODELS = 200;

const NOT_SUPPORTED: LocalModelsResponse = { status: 'not_supported', baseUrl: null, models: [] };
const NOT_FOUND: LocalModelsResponse = { status: 'not_found', baseUrl: null, models: [] };

/**
 * Creates a function that finds the Ollama server of this machine, and the models of that server.
 *
 * @param url the address of the server; undefined if the services run on several machines
 */
export function createOllamaFinder(url: string | undefined): () => Promise<LocalModelsResponse> {
  if (url === undefined) return async () => Promise.resolve(NOT_SUPPORTED);
  return async () => requestOllamaModels(url);
}

/** Requests the models of an Ollama server. The status is `not_found` if no Ollama server responds at the URL. */
async function requestOllamaModels(url: string): Promise<LocalModelsResponse> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(new URL('/api/tags', url), { signal, redirect: 'error' });
    if (!response.ok) return NOT_FOUND;
    const models = parseModelNames(JSON.parse(await readLimitedText(response.body, MAX_BODY_BYTES)));
    return models === undefined ? NOT_FOUND : { status: 'found', baseUrl: new URL('/v1', url).href, models };
  } catch {
    return NOT_FOUND;
  }
}

/** Parses the names of the models in the response of `GET /api/tags`: `{"models":[{"name":"llama3.2:latest",…}]}`. */
function parseModelNames(value: unknown): readonly string[] | undefined {
  const models = getProperty(value, 'models');
  if (!Array.isArray(models)) return undefined;
  return models
    .map((model: unknown) => getProperty(model, 'name'))
    .filter((name) => typeof name === 'string')
    .slice(0, MAX_MODELS);
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
