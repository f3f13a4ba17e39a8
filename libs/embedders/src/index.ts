export { EmbeddingVariables, embeddingSources } from './embedding-variables.js';
export { openEmbedders, type EmbeddingModel, type EmbeddingSources } from './open-embedders.js';
