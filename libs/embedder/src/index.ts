export { EmbeddingFailed, type Embedder, type EmbeddingFailure, type EmbedOptions } from './embedder.js';
