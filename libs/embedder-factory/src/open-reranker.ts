import type { Reranker } from '@quarry/embedder';
import { openTransformersReranker, type TransformersRerankerSettings } from '@quarry/embedder-transformers';
import { openHttpReranker, type HttpRerankerSettings } from './http-reranker.js';

/** Where passages are put into a better order: at an address, or by a model that runs here. */
export type RerankingSource =
  { readonly address: HttpRerankerSettings } | { readonly local: TransformersRerankerSettings };

export function openReranker(source: RerankingSource): Reranker {
  return 'address' in source ? openHttpReranker(source.address) : openTransformersReranker(source.local);
}
