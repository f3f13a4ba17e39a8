export { BlobNotFound, isBlobNotFound, type BlobPart, type BlobStore } from './blob-store.js';
export { InvalidBlobKey, splitKey, splitPrefix } from './blob-key.js';
export { getDatasourceFolder, type DatasourceIds } from './datasource-folder.js';
