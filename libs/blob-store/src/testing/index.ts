export { describeBlobStore, type BlobStoreUnderTest } from './describe-blob-store.js';
export { inMemoryBlobStore } from './in-memory-blob-store.js';
