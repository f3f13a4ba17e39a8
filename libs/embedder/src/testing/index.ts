export { describeEmbedder, type EmbedderUnderTest } from './describe-embedder.js';
export { createInMemoryEmbedder } from './in-memory-embedder.js';
