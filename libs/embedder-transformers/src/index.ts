export { openTransformersEmbedder, type TransformersEmbedderSettings } from './transformers-embedder.js';
export { openTransformersReranker, type TransformersRerankerSettings } from './transformers-reranker.js';
export { isLocalModel, type ModelFolder } from './find-model.js';
