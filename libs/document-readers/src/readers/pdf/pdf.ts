import type { Reader } from '../reader.js';
import type { PictureRequest, RenderedPicture } from '../page-picture.js';
import type { PageImage } from '../recognized-page.js';
import { createCommentBlock } from './comments.js';
import { addRecognizedWords } from './merge-recognized.js';
import { buildPageLines } from './build-page-lines.js';
import type { PageFrame } from './page-frame.js';
import { buildPdfBlocks } from './pdf-blocks.js';
import { openPdf } from './pdfium.js';
import { sortIntoReadingOrder } from './reading-order.js';
import { joinHeaderLinesIntoRows } from './join-header-lines.js';
import { removeRunningLines } from './running-lines.js';
import { hasUndecodedText } from './undecoded-pages.js';

/**
 * Reads the paragraphs, headings, lists, tables and comments of a PDF, each with the page on which it begins. The text
 * of a page includes the words that OCR has recognized on the page.
 */
export const readPdf: Reader = async function* (bytes, reports, recognizedPages = []) {
  const file = await openPdf(bytes);
  const pages = [];
  const frames: PageFrame[] = [];
  const comments = [];
  const imagePages: number[] = [];
  const partialPages: number[] = [];
  const recognized = new Map(recognizedPages.map((page) => [page.page, page]));
  let undecodedPages = 0;
  const changedPages: number[] = [];
  for (let index = 0; index < file.pages; index += 1) {
    const read = file.readPage(index);
    const found = recognized.get(index + 1);
    const text = found && addRecognizedWords(read, found);
    if (read.isImage && found === undefined) imagePages.push(index + 1);
    if (read.isPartial && found === undefined) partialPages.push(index + 1);
    if (text !== undefined) changedPages.push(index + 1);
    const page = { ...read, ...text };
    const isUnmapped = text === undefined && read.unmapped.size > 0;
    if (page.isDamaged || page.isIncomplete || isUnmapped || hasUndecodedText(page.glyphs)) undecodedPages += 1;
    pages.push(joinHeaderLinesIntoRows(sortIntoReadingOrder(buildPageLines(page))));
    frames.push(page.frame);
    comments.push(...createCommentBlock(index + 1, page));
    reports.onProgress({ done: index + 1, total: file.pages, unit: 'pages' });
  }
  file.close();
  reports.onPages({ pages: file.pages, undecodedPages, imagePages, partialPages, recognizedPages: changedPages });
  yield* buildPdfBlocks(removeRunningLines(pages), frames);
  yield* comments;
};

/** Renders a page of a PDF in grey, for text recognition. @param page number, from 1 @throws ReadingFailed */
export async function renderPdfPage(bytes: Uint8Array, page: number): Promise<PageImage> {
  const file = await openPdf(bytes);
  const image = file.renderPage(page - 1);
  file.close();
  return image;
}

/** Renders a page of a PDF for display. @throws ReadingFailed */
export async function renderPdfPicture(bytes: Uint8Array, { page, width }: PictureRequest): Promise<RenderedPicture> {
  const file = await openPdf(bytes);
  const { pages } = file;
  const picture = page <= pages ? file.renderPicture(page - 1, width) : undefined;
  file.close();
  return { pages, picture };
}
