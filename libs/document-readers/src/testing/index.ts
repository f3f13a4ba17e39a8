export { ReaderProcessHandle } from '../isolation/reader-process-handle.js';
export {
  createSlowPages,
  createInflatedRange,
  createLongLine,
  createLoopingPages,
  createNestedEntities,
  createZipBomb,
} from './hostile-files.js';
export { placeInColumn, makePdf } from './make-pdf.js';
