import mammoth from 'mammoth';
import { blocksOfHtml, TITLE_CLASS } from '../html/html-blocks.js';
import type { Reader } from '../reader.js';
import { openPackage } from './package-parts.js';
import { rewriteDocument } from './rewrite-document.js';
import { mainPart, wordExtras } from './word-extras.js';

const STYLES = [`p[style-name='Title'] => h1.${TITLE_CLASS}:fresh`];

/** Word documents: headings by their styles, paragraphs, lists, tables, notes, comments, and the pages' heads and feet. */
export const readDocx: Reader = async function* (bytes) {
  const parts = openPackage(bytes);
  const main = mainPart(parts);
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(rewriteDocument(bytes, parts, main)) },
    { styleMap: STYLES, convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  );
  yield* blocksOfHtml(value);
  yield* wordExtras(parts, main);
};
