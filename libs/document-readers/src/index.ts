export {
  openDocumentReader,
  type DocumentReader,
  type DocumentRequest,
  type ReadingSettings,
} from './isolation/document-reader.js';
export { ReaderProcessExited } from './isolation/reader-process-handle.js';
export { ReadingFailed, type PageReport } from './readers/reader.js';
export { type PagePicture, type PictureRequest, type RenderedPicture } from './readers/page-picture.js';
export {
  type PageImage,
  type QuarterTurns,
  type RecognizedImage,
  type RecognizedPage,
  type RecognizedWord,
} from './readers/recognized-page.js';
export { type Fragment } from './splitting/fragment.js';
