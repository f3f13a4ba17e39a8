export { describeEmbedder, type EmbedderUnderTest } from './describe-embedder.js';
export { inMemoryEmbedder } from './in-memory-embedder.js';
