import type { Reranker } from '@quarry/embedder';
import { openTransformersReranker, type TransformersRerankerSettings } from '@quarry/embedder-transformers';
import { openHttpReranker, type HttpRerankerSettings } from './http-reranker.js';

/** Describes the configured reranker: a server at an address, or a local model. */
export type RerankingSource =
  { readonly address: HttpRerankerSettings } | { readonly local: TransformersRerankerSettings };

export function openReranker(source: RerankingSource): Reranker {
  return 'address' in source ? openHttpReranker(source.address) : openTransformersReranker(source.local);
}
