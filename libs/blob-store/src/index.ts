export { BlobNotFound, type BlobStore } from './blob-store.js';
export { InvalidBlobKey, segmentsOfKey, segmentsOfPrefix } from './blob-key.js';
export { cancelRuns, isCancelled, type RunOfDatasource } from './run-cancellation.js';
export { openFileBlobStore } from './file-blob-store.js';
