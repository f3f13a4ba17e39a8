import type { Embedder } from '@quarry/embedder';
import { openGoogleEmbedder, openLangChainEmbedder } from '@quarry/embedder-langchain';
import { isModelInFolder, openTransformersEmbedder, type ModelFolder } from '@quarry/embedder-transformers';
import { getLimit, type LimitsByModel } from './limits-by-model.js';

/** Describes the address of an OpenAI-compatible server or of Google's API. */
export type EmbeddingAddress =
  | { readonly provider: 'openai'; readonly baseUrl: string; readonly apiKey?: string }
  | { readonly provider: 'google'; readonly baseUrl?: string; readonly apiKey?: string };

/** Describes the configured sources of embeddings, for any model. */
export interface EmbeddingSources {
  readonly address?: EmbeddingAddress | undefined;
  /** Folder of the models that run locally, and the method by which they combine the vectors of tokens. */
  readonly local?: ModelFolder & { readonly pooling: 'mean' | 'cls' };
  readonly documentPrefix?: string;
  readonly queryPrefix?: string;
  /** Maximum number of texts per request to `address`. */
  readonly batchSize?: LimitsByModel;
  /** Maximum length of a text, in UTF-16 code units. Longer texts are truncated before they are sent to `address`. */
  readonly maxTextLength?: LimitsByModel;
}

/** Describes an embedding model and the number of dimensions of its vectors. */
export interface EmbeddingModel {
  readonly model: string;
  readonly dimensions: number;
}

/**
 * Returns a function that opens the embedder of a model, once per model. A model in the local folder runs locally; all
 * other models are requested from the address. Without an address, all models run locally.
 *
 * @returns the function, which returns undefined if neither a folder nor an address is configured
 */
export function createEmbedderOpener(
  sources: EmbeddingSources | undefined,
): (model: EmbeddingModel) => Embedder | undefined {
  const opened = new Map<string, Embedder>();
  return ({ model, dimensions }) => {
    if (sources === undefined) return undefined;
    const key = JSON.stringify([model, dimensions]);
    const embedder = opened.get(key) ?? openEmbedder(sources, { model, dimensions });
    if (embedder !== undefined) opened.set(key, embedder);
    return embedder;
  };
}

/** Lists the names of the configured sources: `openai-compatible`, `google` and `local`. */
export function listEmbeddingSourceNames(sources: EmbeddingSources | undefined): readonly string[] {
  if (sources === undefined) return [];
  const { address, local } = sources;
  const remote = address?.provider === 'openai' ? 'openai-compatible' : address?.provider;
  return [...(remote === undefined ? [] : [remote]), ...(local === undefined ? [] : ['local'])];
}

function openEmbedder(sources: EmbeddingSources, model: EmbeddingModel): Embedder | undefined {
  const { address, local, batchSize, maxTextLength, ...prefixes } = sources;
  if (local !== undefined && (address === undefined || isModelInFolder(local, model.model)))
    return openTransformersEmbedder({ ...local, ...prefixes, ...model });
  if (address === undefined) return undefined;
  const batchTexts = getLimit(batchSize, model.model);
  const maxLength = getLimit(maxTextLength, model.model);
  const settings = {
    ...prefixes,
    ...model,
    ...(batchTexts === undefined ? {} : { batchTexts }),
    ...(maxLength === undefined ? {} : { maxTextLength: maxLength }),
  };
  return address.provider === 'google'
    ? openGoogleEmbedder({ ...address, ...settings })
    : openLangChainEmbedder({ ...address, ...settings });
}
