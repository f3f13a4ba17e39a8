import type { Reader } from '../reader.js';
import { linesOfPage } from './page-lines.js';
import { blocksOfLines } from './pdf-blocks.js';
import { openPdf } from './pdfium.js';
import { inReadingOrder } from './reading-order.js';
import { withRowsOfCells } from './rows-of-cells.js';
import { withoutRunningLines } from './running-lines.js';

/** PDF: its paragraphs, headings, lists and tables, each with the page it begins on. A scan has no text and gives no blocks. */
export const readPdf: Reader = async function* (bytes, onProgress) {
  const file = await openPdf(bytes);
  const pages = [];
  for (let index = 0; index < file.pages; index += 1) {
    pages.push(withRowsOfCells(inReadingOrder(linesOfPage(file.glyphs(index)))));
    onProgress({ done: index + 1, total: file.pages, unit: 'pages' });
  }
  file.close();
  yield* blocksOfLines(withoutRunningLines(pages));
};
