import mammoth from 'mammoth';
import { blocksOfHtml, TITLE_CLASS } from '../html/html-blocks.js';
import type { Reader } from '../reader.js';
import { mainPart, openPackage } from './package-parts.js';
import { rewriteDocument } from './rewrite-document.js';
import { wordExtras } from './word-extras.js';
import { withListNumbers } from './word-paragraph.js';

/** Those of mammoth's own rules that make blocks: it reads the rules anew with every document. */
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

/** Word documents: headings by their styles, paragraphs, lists, tables, notes, comments, and the pages' heads and feet. */
export const readDocx: Reader = async function* (bytes) {
  const parts = openPackage(bytes);
  const main = mainPart(parts, 'word/document.xml');
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(rewriteDocument(bytes, parts, main)) },
    {
      styleMap: STYLES,
      includeDefaultStyleMap: false,
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    },
  );
  for (const block of blocksOfHtml(value)) yield { ...block, text: withListNumbers(block.text) };
  yield* wordExtras(parts, main);
};
