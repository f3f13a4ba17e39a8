import type { Embedder } from '@quarry/embedder';
import { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';

/** Where texts are embedded, whichever model a datastore names. */
export type EmbeddingAddress = Pick<LangChainEmbedderSettings, 'baseUrl' | 'apiKey' | 'documentPrefix' | 'queryPrefix'>;

/** Which model, and how long its vectors are. */
export interface EmbeddingModel {
  readonly model: string;
  readonly dimensions: number;
}

/** @returns the embedder of a model, opened once; undefined where no address is configured */
export function openEmbedders(address: EmbeddingAddress | undefined): (model: EmbeddingModel) => Embedder | undefined {
  const opened = new Map<string, Embedder>();
  return ({ model, dimensions }) => {
    if (address === undefined) return undefined;
    const name = JSON.stringify([model, dimensions]);
    const embedder = opened.get(name) ?? openLangChainEmbedder({ ...address, model, dimensions });
    opened.set(name, embedder);
    return embedder;
  };
}
