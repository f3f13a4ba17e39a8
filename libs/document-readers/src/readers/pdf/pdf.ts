import type { Reader } from '../reader.js';
import { commentsOn } from './comments.js';
import { linesOfPage } from './page-lines.js';
import { blocksOfLines } from './pdf-blocks.js';
import { openPdf } from './pdfium.js';
import { inReadingOrder } from './reading-order.js';
import { withRowsOfCells } from './rows-of-cells.js';
import { withoutRunningLines } from './running-lines.js';

/** PDF: its paragraphs, headings, lists, tables and comments, each with the page it begins on. A scan has no text and gives no blocks. */
export const readPdf: Reader = async function* (bytes, onProgress) {
  const file = await openPdf(bytes);
  const pages = [];
  const comments = [];
  for (let index = 0; index < file.pages; index += 1) {
    const page = file.page(index);
    pages.push(withRowsOfCells(inReadingOrder(linesOfPage(page))));
    comments.push(...commentsOn(index + 1, page));
    onProgress({ done: index + 1, total: file.pages, unit: 'pages' });
  }
  file.close();
  yield* blocksOfLines(withoutRunningLines(pages));
  yield* comments;
};
