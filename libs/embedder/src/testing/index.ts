export {
  describeEmbedder,
  describeProviderEmbedder,
  type EmbedderUnderTest,
  type ProviderEmbedderUnderTest,
} from './describe-embedder.js';
export { createInMemoryEmbedder } from './in-memory-embedder.js';
