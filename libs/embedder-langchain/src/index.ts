export { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
export { openEmbedders, type EmbeddingAddress, type EmbeddingModel } from './open-embedders.js';
