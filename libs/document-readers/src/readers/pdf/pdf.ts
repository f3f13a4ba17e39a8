import type { Reader } from '../reader.js';
import { readComments } from './comments.js';
import { buildPageLines } from './page-lines.js';
import { buildBlocks } from './pdf-blocks.js';
import { openPdf } from './pdfium.js';
import { sortIntoReadingOrder } from './reading-order.js';
import { groupHeaderLines } from './header-lines.js';
import { removeRunningLines } from './running-lines.js';
import { hasUndecodedText } from './undecoded-pages.js';

/**
 * Reads the paragraphs, headings, lists, tables and comments of a PDF, each with the page on which it begins. A scan has no text
 * and yields no blocks.
 */
export const readPdf: Reader = async function* (bytes, reports) {
  const file = await openPdf(bytes);
  const pages = [];
  const comments = [];
  let undecodedPages = 0;
  for (let index = 0; index < file.pages; index += 1) {
    const page = file.page(index);
    if (page.isDamaged || hasUndecodedText(page.glyphs)) undecodedPages += 1;
    pages.push(groupHeaderLines(sortIntoReadingOrder(buildPageLines(page))));
    comments.push(...readComments(index + 1, page));
    reports.onProgress({ done: index + 1, total: file.pages, unit: 'pages' });
  }
  file.close();
  reports.onPages({ pages: file.pages, undecodedPages });
  yield* buildBlocks(removeRunningLines(pages));
  yield* comments;
};
