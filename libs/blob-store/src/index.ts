export { BlobNotFound, isBlobNotFound, type BlobPart, type BlobStore } from './blob-store.js';
export { InvalidBlobKey, segmentsOfKey, segmentsOfPrefix } from './blob-key.js';
export { folderOfDatasource, type DatasourceIds } from './datasource-folder.js';
export {
  cancelForGood,
  cancelRuns,
  isCancelled,
  isRemoved,
  leaveNothingBehind,
  stopKeyOf,
  type RunOfDatasource,
} from './run-cancellation.js';
export { RunCancelled, whileWanted } from './while-wanted.js';
export { openFileBlobStore } from './file-blob-store.js';
