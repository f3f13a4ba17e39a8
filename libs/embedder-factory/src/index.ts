export { EmbeddingVariables, readEmbeddingSources } from './embedding-variables.js';
export {
  listEmbeddingSourceNames,
  createEmbedderOpener,
  type EmbeddingModel,
  type EmbeddingSources,
} from './create-embedder-opener.js';
export { openReranker, type RerankingSource } from './open-reranker.js';
export { findRerankingProblems, readRerankingSource, RerankingVariables } from './reranking-variables.js';
