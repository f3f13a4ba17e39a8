export { EmbeddingVariables, readEmbeddingSources } from './embedding-variables.js';
export { listEmbedders, openEmbedders, type EmbeddingModel, type EmbeddingSources } from './open-embedders.js';
export { openReranker, type RerankingSource } from './open-reranker.js';
export { findRerankingProblems, readRerankingSource, RerankingVariables } from './reranking-variables.js';
