export { BlobNotFound, isBlobNotFound, type BlobPart, type BlobStore } from './blob-store.js';
export { InvalidBlobKey, splitBlobKey, splitBlobPrefix } from './blob-key.js';
export { getDatasourceFolder, type DatasourceIds } from './datasource-folder.js';
