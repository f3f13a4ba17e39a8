export { BlobNotFound, isBlobNotFound, type BlobPart, type BlobStore } from './blob-store.js';
export { InvalidBlobKey, segmentsOfKey, segmentsOfPrefix } from './blob-key.js';
export { folderOfDatasource, type DatasourceIds } from './datasource-folder.js';
