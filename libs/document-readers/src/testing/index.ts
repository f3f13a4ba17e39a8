export { decodePng, type DecodedPng } from './decode-png.js';
export { ReaderProcessHandle } from '../isolation/reader-process-handle.js';
export {
  createPdfWithSlowPages,
  createSheetWithDistantCells,
  createLongJsonLine,
  createPdfWithPageCycle,
  createDocxWithNestedEntities,
  createZipBomb,
} from './hostile-files.js';
export { makeCjkPdf, makeUnmappedPdf } from './make-cjk-pdf.js';
export { readPageTexts } from './read-page-texts.js';
export { makeImagePage } from './make-image-page.js';
export { createScanOfPages } from './create-scan.js';
export { layOutInColumn, makePdf } from './make-pdf.js';
