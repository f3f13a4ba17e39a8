export { EmbeddingVariables, embeddingSources } from './embedding-variables.js';
export { openEmbedders, type EmbeddingModel, type EmbeddingSources } from './open-embedders.js';
export { openReranker, type RerankingSource } from './open-reranker.js';
export { rerankingProblems, rerankingSource, RerankingVariables } from './reranking-variables.js';
