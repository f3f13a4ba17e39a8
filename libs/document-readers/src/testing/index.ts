export { ReadingProcess } from '../isolation/reading-process.js';
export { endlessPages, inflatedRange, longLine, loopingPages, nestedEntities, zipBomb } from './hostile-files.js';
export { column, makePdf } from './make-pdf.js';
