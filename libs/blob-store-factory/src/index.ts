export { openBlobStore, type BlobAddress } from './open-blob-store.js';
