export { openTransformersEmbedder, type TransformersEmbedderSettings } from './transformers-embedder.js';
export { openTransformersReranker, type TransformersRerankerSettings } from './transformers-reranker.js';
export { isModelHere, type ModelFolder } from './find-model.js';
