import type { Embedder } from '@quarry/embedder';
import { openGoogleEmbedder, openLangChainEmbedder } from '@quarry/embedder-langchain';
import { isModelHere, openTransformersEmbedder, type ModelFolder } from '@quarry/embedder-transformers';

/** An OpenAI-compatible address, or Google's. */
export type EmbeddingAddress =
  | { readonly provider: 'openai'; readonly baseUrl: string; readonly apiKey?: string }
  | { readonly provider: 'google'; readonly baseUrl?: string; readonly apiKey?: string };

/** Where texts are embedded, whichever model a datastore names. */
export interface EmbeddingSources {
  readonly address?: EmbeddingAddress | undefined;
  /** Models that run here. */
  readonly local?: ModelFolder & { readonly pooling: 'mean' | 'cls' };
  readonly documentPrefix?: string;
  readonly queryPrefix?: string;
}

/** Which model, and how long its vectors are. */
export interface EmbeddingModel {
  readonly model: string;
  readonly dimensions: number;
}

/**
 * A model that is in the folder runs here; any other is asked for at the address. Without an address every model is to be in
 * the folder.
 *
 * @returns the embedder of a model, opened once; undefined where nothing is configured
 */
export function openEmbedders(sources: EmbeddingSources | undefined): (model: EmbeddingModel) => Embedder | undefined {
  const opened = new Map<string, Embedder>();
  return ({ model, dimensions }) => {
    if (sources === undefined) return undefined;
    const name = JSON.stringify([model, dimensions]);
    const embedder = opened.get(name) ?? open(sources, { model, dimensions });
    if (embedder !== undefined) opened.set(name, embedder);
    return embedder;
  };
}

function open({ address, local, ...prefixes }: EmbeddingSources, model: EmbeddingModel): Embedder | undefined {
  if (local !== undefined && (address === undefined || isModelHere(local, model.model)))
    return openTransformersEmbedder({ ...local, ...prefixes, ...model });
  if (address === undefined) return undefined;
  const settings = { ...prefixes, ...model };
  return address.provider === 'google'
    ? openGoogleEmbedder({ ...address, ...settings })
    : openLangChainEmbedder({ ...address, ...settings });
}
