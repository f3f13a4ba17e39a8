import { Lexer, type MarkedToken, type Token } from 'marked';
import type { Block } from '../block.js';
import { cleanText } from '../clean-text.js';
import { decodeText } from '../decoding/decode-text.js';
import { withoutEncodedBytes } from '../encoded-bytes.js';
import { HeadingPath } from '../heading-path.js';
import { blocksOfHtml } from '../html/html-blocks.js';
import { paragraphsOf } from '../paragraphs.js';
import type { Reader } from '../reader.js';

/** Code as it stands; or what nobody sees: a comment, or an anchor around nothing. */
const CODE_OR_UNSEEN = /(`+)[\s\S]*?[^`]\1(?!`)|<!--[\s\S]*?-->|<a (?:id|name)=["'][^"'>]*["']\s*(?:\/>|>\s*<\/a>)/g;
/** The address and looks of a heading, as several tools write them behind it: `{#use}`, `{.wide}`, or the first in a comment. */
const ATTRIBUTES = /\s*\{(?:\s?[#.:][^{}]*|\/[^{}]*\/)\}\s*$/;

const FRONT_MATTER = /^(---|\+\+\+)\n([\s\S]*?)\n\1(?:\n|$)/;
/** What a line of YAML or TOML begins with. Other text between two lines across the page is text. */
const IS_DATA = /^\s*(?:#|\[|[\w"'-][\w"' .-]*\s*[:=](?:\s|$))/;
const TITLE = /^title\s*[:=]\s*(.+)$/im;
const QUOTED = /^(["'])(.*)\1$/;

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

/** A document without the data about it that some tools write above it, and its title by that data. */
function withoutFrontMatter(markdown: string): { readonly title: string | undefined; readonly body: string } {
  const [all = '', , data = ''] = FRONT_MATTER.exec(markdown) ?? [];
  if (!IS_DATA.test(data)) return { title: undefined, body: markdown };
  const written = TITLE.exec(data)?.[1]?.trim() ?? '';
  const title = QUOTED.exec(written)?.[2] ?? written;
  // `|` and `>` begin a text of several lines.
  return { title: /^[|>]?-?$/.test(title) ? undefined : title, body: markdown.slice(all.length) };
}

/** Markdown without what is not shown. */
function withoutUnseen(markdown: string): string {
  return markdown.replace(CODE_OR_UNSEEN, (found, ticks: string | undefined) => (ticks === undefined ? '' : found));
}

function withoutAttributes(heading: string): string {
  return heading.replace(ATTRIBUTES, '');
}
