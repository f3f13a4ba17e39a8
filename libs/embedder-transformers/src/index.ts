export { openTransformersEmbedder, type TransformersEmbedderSettings } from './transformers-embedder.js';
export { openTransformersReranker, type TransformersRerankerSettings } from './transformers-reranker.js';
export { isModelInFolder, type ModelFolder } from './locate-model.js';
