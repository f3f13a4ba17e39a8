import mammoth from 'mammoth';
import { TITLE_CLASS } from '../html/html-block-builder.js';
import { parseHtmlBlocks } from '../html/html-blocks.js';
import type { Reader } from '../reader.js';
import { findMainPart, openPackage } from './package-parts.js';
import { rewriteDocx } from './rewrite-docx.js';
import { readHeadersFootersAndComments } from './word-extras.js';
import { replaceListMarks } from './word-paragraph.js';

/**
 * Lists those rules of mammoth's default style map that apply to blocks. The other rules are omitted, because mammoth
 * parses the map again for each document.
 */
const STYLES = [
  `p[style-name='Title'] => h1.${TITLE_CLASS}:fresh`,
  ...[1, 2, 3, 4, 5, 6].flatMap((level) => [
    `p.Heading${level} => h${level}:fresh`,
    `p[style-name='heading ${level}'] => h${level}:fresh`,
  ]),
  ...['p.Heading', "p[style-name='Heading']"].map((pages) => `${pages} => h1:fresh`),
  ...[1, 2, 3, 4, 5].flatMap((level) => [
    `p:unordered-list(${level}) => ${'ul|ol > li > '.repeat(level - 1)}ul > li:fresh`,
    `p:ordered-list(${level}) => ${'ul|ol > li > '.repeat(level - 1)}ol > li:fresh`,
  ]),
];

/** Reads Word documents: headings by style, paragraphs, lists, tables, notes, comments, headers and footers. */
export const readDocx: Reader = async function* (bytes) {
  const parts = openPackage(bytes);
  const main = findMainPart(parts, 'word/document.xml');
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(rewriteDocx(bytes, parts, main)) },
    {
      styleMap: STYLES,
      includeDefaultStyleMap: false,
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    },
  );
  for (const block of parseHtmlBlocks(value)) yield { ...block, text: replaceListMarks(block.text) };
  yield* readHeadersFootersAndComments(parts, main);
};
