import type { Reader } from '../reader.js';
import { readComments } from './comments.js';
import { buildPageLines } from './page-lines.js';
import { buildBlocks } from './pdf-blocks.js';
import { openPdf } from './pdfium.js';
import { sortIntoReadingOrder } from './reading-order.js';
import { groupHeaderLines } from './header-lines.js';
import { removeRunningLines } from './running-lines.js';

/**
 * Reads the paragraphs, headings, lists, tables and comments of a PDF, each with the page on which it begins. A scan has no text
 * and yields no blocks.
 */
export const readPdf: Reader = async function* (bytes, onProgress) {
  const file = await openPdf(bytes);
  const pages = [];
  const comments = [];
  for (let index = 0; index < file.pages; index += 1) {
    const page = file.page(index);
    pages.push(groupHeaderLines(sortIntoReadingOrder(buildPageLines(page))));
    comments.push(...readComments(index + 1, page));
    onProgress({ done: index + 1, total: file.pages, unit: 'pages' });
  }
  file.close();
  yield* buildBlocks(removeRunningLines(pages));
  yield* comments;
};
