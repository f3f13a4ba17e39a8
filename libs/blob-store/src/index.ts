export { BlobNotFound, type BlobStore } from './blob-store.js';
