import mammoth from 'mammoth';
import { blocksOfHtml, TITLE_CLASS } from '../html/html-blocks.js';
import type { Reader } from '../reader.js';
import { checkArchive } from './open-archive.js';
import { writeNumbers } from './write-numbers.js';

const STYLES = [`p[style-name='Title'] => h1.${TITLE_CLASS}:fresh`];

/** Word documents: headings by their styles, paragraphs, lists, tables, foot- and endnotes. */
export const readDocx: Reader = async function* (bytes) {
  checkArchive(bytes);
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(writeNumbers(bytes)) },
    { styleMap: STYLES, convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  );
  yield* blocksOfHtml(value);
};
