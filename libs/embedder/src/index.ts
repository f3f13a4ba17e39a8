export { splitIntoBatches, type BatchLimits } from './batches.js';
export {
  EmbeddingFailed,
  type EmbedDocumentsOptions,
  type EmbeddedText,
  type Embedder,
  type EmbeddingFailure,
  type EmbedOptions,
  type TruncatedText,
} from './embedder.js';
export { RerankingFailed, type Reranker } from './reranker.js';
