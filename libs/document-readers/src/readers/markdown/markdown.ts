import { Lexer, type MarkedToken, type Token } from 'marked';
import type { Block } from '../block.js';
import { cleanText } from '../clean-text.js';
import { decodeText } from '../decoding/decode-text.js';
import { withoutEncodedBytes } from '../encoded-bytes.js';
import { HeadingPath } from '../heading-path.js';
import { paragraphsOf } from '../paragraphs.js';
import { blocksOfHtml } from '../html/html-blocks.js';
import type { Reader } from '../reader.js';
import { withoutFrontMatter } from './front-matter.js';
import { withoutAttributes, withoutUnseen } from './unseen-marks.js';

/** A picture that stands in the text itself: only its description is text. */
const EMBEDDED_PICTURE = /\(\s*data:[^)\s]*/g;
const TABLE_HEADER_LINES = 2;
/** Of a title that stands above headings of the first level. */
const ABOVE_ALL = 0;

/** Markdown, as GitHub reads it: headings, paragraphs, lists, tables and code. Of front matter, the title is kept. */
export const readMarkdown: Reader = async function* (bytes) {
  yield* blocksOfMarkdown(cleanText(await decodeText(bytes)));
};

/** @param markdown clean text */
export function* blocksOfMarkdown(markdown: string): Generator<Block> {
  const { title, body } = withoutFrontMatter(markdown);
  const headings = new HeadingPath();
  const tokens = tokensOf(withoutEncodedBytes(body.replace(EMBEDDED_PICTURE, '(')));
  if (title !== undefined && !tokens.some((token) => isHeading(token, title)))
    yield* heading(ABOVE_ALL, title, headings);
  for (const token of tokens) yield* blocksOf(token, headings);
}

/** Text that nests deeper than the lexer can follow is still text. */
function tokensOf(markdown: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true }).lex(markdown);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [...paragraphsOf(markdown)].map((text) => ({ type: 'paragraph', raw: text, text, tokens: [] }));
  }
}

function* blocksOf(token: Token, headings: HeadingPath): Generator<Block> {
  // marked's own union is closed; only an extension, of which there is none here, adds other tokens.
  const known = token as MarkedToken;
  if (known.type === 'heading') yield* heading(known.depth, withoutAttributes(plainText(known.tokens)), headings);
  else if (known.type === 'blockquote') for (const inner of known.tokens) yield* blocksOf(inner, headings);
  else if (known.type === 'html') yield* blocksOfHtml(known.raw, headings);
  else if (known.type !== 'space' && known.type !== 'hr') yield* contentOf(known, headings.texts);
}

function* contentOf(token: MarkedToken, headingPath: readonly string[]): Generator<Block> {
  const place = { headingPath, page: null, location: null };
  if (token.type === 'list') yield* nonEmpty({ ...place, kind: 'list', text: withoutUnseen(token.raw) });
  else if (token.type === 'table') {
    yield* nonEmpty({ ...place, kind: 'table', text: withoutUnseen(token.raw), headerLines: TABLE_HEADER_LINES });
  } else if (token.type === 'code') yield* nonEmpty({ ...place, kind: 'code', text: token.text });
  else for (const text of paragraphsOf(withoutUnseen(token.raw))) yield* nonEmpty({ ...place, kind: 'text', text });
}

function* heading(level: number, text: string, headings: HeadingPath): Generator<Block> {
  if (text === '') return;
  headings.enter(level, text);
  yield { kind: 'heading', text, headingPath: headings.texts, page: null, location: null, level: Math.max(1, level) };
}

function* nonEmpty(block: Block): Generator<Block> {
  const text = cleanText(block.text);
  if (text.trim() !== '') yield { ...block, text };
}

function isHeading(token: Token, text: string): boolean {
  return token.type === 'heading' && 'tokens' in token && withoutAttributes(plainText(token.tokens ?? [])) === text;
}

/** The words of inline tokens without their marks. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token ? plainText(token.tokens ?? []) : textOf(token)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function textOf(token: Token): string {
  if (token.type === 'html') return '';
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
