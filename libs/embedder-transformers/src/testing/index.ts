export { TINY_DIMENSIONS, writeTinyEmbeddingModel, writeTinyRerankingModel } from './tiny-models.js';
