export { openFileBlobStore } from './file-blob-store.js';
