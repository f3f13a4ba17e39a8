export { describeBlobStore, type BlobStoreUnderTest } from './describe-blob-store.js';
export { createInMemoryBlobStore } from './in-memory-blob-store.js';
