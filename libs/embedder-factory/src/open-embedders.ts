import type { Embedder } from '@quarry/embedder';
import { openGoogleEmbedder, openLangChainEmbedder } from '@quarry/embedder-langchain';
import { isModelHere, openTransformersEmbedder, type ModelFolder } from '@quarry/embedder-transformers';
import { limitOf, type LimitsByModel } from './limits-by-model.js';

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
  /** The most texts in one request to the address. */
  readonly batchSize?: LimitsByModel;
  /** Of a longer text, the beginning is sent to the address. In UTF-16 code units. */
  readonly maxTextLength?: LimitsByModel;
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

function open(sources: EmbeddingSources, model: EmbeddingModel): Embedder | undefined {
  const { address, local, batchSize, maxTextLength, ...prefixes } = sources;
  if (local !== undefined && (address === undefined || isModelHere(local, model.model)))
    return openTransformersEmbedder({ ...local, ...prefixes, ...model });
  if (address === undefined) return undefined;
  const batchTexts = limitOf(batchSize, model.model);
  const maxLength = limitOf(maxTextLength, model.model);
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
