export { ReaderProcessHandle } from '../isolation/reader-process-handle.js';
export { endlessPages, inflatedRange, longLine, loopingPages, nestedEntities, zipBomb } from './hostile-files.js';
export { column, makePdf } from './make-pdf.js';
