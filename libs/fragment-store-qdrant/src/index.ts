export type { CollectionLayout, QdrantOptions, StoreLog, Timing } from './options.js';
export { QdrantFailure } from './qdrant-failure.js';
export { openQdrantFragmentStore } from './qdrant-fragment-store.js';
