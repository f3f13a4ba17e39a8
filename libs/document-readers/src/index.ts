export { openDocumentReader, type DocumentReader, type ReadingSettings } from './isolation/document-reader.js';
export { ReaderProcessExited } from './isolation/reader-process-handle.js';
export { ReadingFailed, type PageReport } from './readers/reader.js';
export { type Fragment } from './splitting/fragment.js';
