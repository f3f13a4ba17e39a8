import { decodeHTMLStrict } from 'entities';
import { Lexer, type MarkedToken, type Token } from 'marked';
import type { Block } from '../block.js';
import { normalizeForStorage } from '../normalize-for-storage.js';
import { decodeText } from '../decoding/decode-text.js';
import { removeBase64Data } from '../base64-data.js';
import { HeadingPath } from '../heading-path.js';
import { splitIntoParagraphs } from '../split-into-paragraphs.js';
import { parseHtmlBlocks } from '../html/html-blocks.js';
import type { Reader } from '../reader.js';

const FRONT_MATTER = /^(---|\+\+\+)\n([\s\S]*?)\n\1(?:\n|$)/;
/** Matches a line with a key of YAML or TOML. */
const KEY_LINE = /^[\w"'-][\w"'\s.-]*[:=](?:\s|$)/;
/** Matches the other lines of YAML: blank lines, comments, list items, ends of brackets, and indented lines. */
const OTHER_YAML_LINE = /^(?:$|#|[-\]}]|\s)/;
/** Matches the start of TOML front matter after the line `+++`. Other text after such a line does not match. */
const TOML_START = /^\s*(?:#|\[|[\w"'-][\w"'\s.-]*=)/;
const TITLE = /^title[ \t]*[:=](.+)$/im;
const QUOTED = /^(["'])(.*)\1$/;
/** Matches the data of an embedded picture. The data is removed, and the description of the picture is kept. */
const EMBEDDED_PICTURE = /\(\s*data:(?:[\w.+-]+\/[\w.+-]+)?[;,][^)\s]*/g;
/**
 * Matches invisible markup, which is removed: comments and empty anchors. Also matches code, so that markup in code
 * stays.
 */
const CODE_OR_INVISIBLE = /(`+)[\s\S]*?[^`]\1(?!`)|<!--[\s\S]*?-->|<a (?:id|name)=["'][^"'>]*["']\s*(?:\/>|>\s*<\/a>)/g;
/**
 * Matches character references such as `&amp;` and `&#39;`, which are decoded. Also matches code, so that references in
 * code stay.
 */
const CODE_OR_REFERENCE = /(?:(`+)[\s\S]*?[^`]\1(?!`)|~{3,}[\s\S]*?(?:~{3,}|$))|&#?[a-z0-9]{1,32};/gi;
const LINE_BREAK_TAG = /^<br\b/i;
/** Matches the attributes at the end of a heading, such as `{#use}` or `{.wide}`, also inside an MDX comment. */
const ATTRIBUTES = /(?<!\s)\s*\{(?:\s?[#.:][^{}]*|\/[^{}]*\/)\}\s*$/;
const TABLE_HEADER_LINES = 2;
/** Level of the document title, which is above headings of level 1. */
const TITLE_LEVEL = 0;

/** Reads GitHub Flavored Markdown: headings, paragraphs, lists, tables and code, and the title from front matter. */
export const readMarkdown: Reader = async function* (bytes) {
  yield* parseMarkdownBlocks(normalizeForStorage(await decodeText(bytes)));
};

/** Parses Markdown into blocks. @param markdown text that `normalizeForStorage` has returned */
export function* parseMarkdownBlocks(markdown: string): Generator<Block> {
  const { title, body } = splitFrontMatter(markdown);
  const headings = new HeadingPath();
  const tokens = tokenizeMarkdown(removeBase64Data(body.replace(EMBEDDED_PICTURE, '(')));
  if (title !== undefined && !tokens.some((token) => isHeadingWithText(token, title)))
    yield* createHeadingBlock(TITLE_LEVEL, title, headings);
  for (const token of tokens) yield* createTokenBlocks(token, headings);
}

/** Tokenizes Markdown. Text that is nested too deeply for the lexer becomes paragraphs. */
function tokenizeMarkdown(markdown: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true }).lex(markdown);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [...splitIntoParagraphs(markdown)].map((text) => ({ type: 'paragraph', raw: text, text, tokens: [] }));
  }
}

function* createTokenBlocks(token: Token, headings: HeadingPath): Generator<Block> {
  // Only extensions of marked create tokens that are not in `MarkedToken`, and Quarry uses no extension.
  const known = token as MarkedToken;
  if (known.type === 'heading')
    yield* createHeadingBlock(known.depth, removeHeadingAttributes(getPlainText(known.tokens)), headings);
  else if (known.type === 'blockquote') for (const inner of known.tokens) yield* createTokenBlocks(inner, headings);
  else if (known.type === 'html') yield* parseHtmlBlocks(known.raw, headings);
  else if (known.type !== 'space' && known.type !== 'hr') yield* createContentBlocks(known, headings.texts);
}

function* createContentBlocks(token: MarkedToken, headingPath: readonly string[]): Generator<Block> {
  const position = { headingPath, page: null, location: null };
  if (token.type === 'list') yield* yieldUnlessEmpty({ ...position, kind: 'list', text: getVisibleText(token.raw) });
  else if (token.type === 'table') {
    yield* yieldUnlessEmpty({
      ...position,
      kind: 'table',
      text: getVisibleText(token.raw),
      headerLines: TABLE_HEADER_LINES,
    });
  } else if (token.type === 'code') yield* yieldUnlessEmpty({ ...position, kind: 'code', text: token.text });
  else
    for (const text of splitIntoParagraphs(getVisibleText(token.raw)))
      yield* yieldUnlessEmpty({ ...position, kind: 'text', text });
}

function* createHeadingBlock(level: number, text: string, headings: HeadingPath): Generator<Block> {
  if (text === '') return;
  headings.enterHeading(level, text);
  yield { kind: 'heading', text, headingPath: headings.texts, page: null, location: null, level: Math.max(1, level) };
}

/** Yields a block with normalized text, unless the text is empty. */
function* yieldUnlessEmpty(block: Block): Generator<Block> {
  const text = normalizeForStorage(block.text);
  if (text.trim() !== '') yield { ...block, text };
}

function isHeadingWithText(token: Token, text: string): boolean {
  return (
    token.type === 'heading' && 'tokens' in token && removeHeadingAttributes(getPlainText(token.tokens ?? [])) === text
  );
}

/** Returns the text of inline tokens without markup. */
function getPlainText(tokens: readonly Token[]): string {
  return tokens.map(getTokenText).join('').replace(/\s+/g, ' ').trim();
}

function getTokenText(token: Token): string {
  if ('tokens' in token) return (token.tokens ?? []).map(getTokenText).join('');
  if (token.type === 'br') return ' ';
  if (token.type === 'html') return LINE_BREAK_TAG.test(token.raw) ? ' ' : '';
  const text = 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
  return token.type === 'text' ? decodeCharacterReferences(text) : text;
}

/** Separates YAML or TOML front matter from the body of a document, and returns the title in the front matter. */
function splitFrontMatter(markdown: string): { readonly title: string | undefined; readonly body: string } {
  const [all = '', fence, data = ''] = FRONT_MATTER.exec(markdown) ?? [];
  if (!(fence === '+++' ? TOML_START.test(data) : isYaml(data))) return { title: undefined, body: markdown };
  const written = TITLE.exec(data)?.[1]?.trim() ?? '';
  const title = QUOTED.exec(written)?.[2] ?? written;
  // `|` and `>` begin a multi-line string, which is not read.
  return { title: /^[|>]?-?$/.test(title) ? undefined : title, body: markdown.slice(all.length) };
}

/** Returns whether a text is front matter in YAML, and not text between two horizontal rules. */
function isYaml(text: string): boolean {
  const lines = text.split('\n');
  return (
    lines.some((line) => KEY_LINE.test(line)) &&
    lines.every((line) => KEY_LINE.test(line) || OTHER_YAML_LINE.test(line))
  );
}

function getVisibleText(markdown: string): string {
  return decodeCharacterReferences(removeInvisibleMarkup(markdown));
}

/** Decodes character references outside of code. Escapes a decoded `|`, because it would end a table cell. */
function decodeCharacterReferences(markdown: string): string {
  return markdown.replace(CODE_OR_REFERENCE, (found) => {
    if (!found.startsWith('&')) return found;
    const character = decodeHTMLStrict(found);
    if (character === '|') return '\\|';
    return character === '\u00a0' ? ' ' : character;
  });
}

/** Removes comments and empty anchors outside of code. */
function removeInvisibleMarkup(markdown: string): string {
  return markdown.replace(CODE_OR_INVISIBLE, (found, ticks: string | undefined) => (ticks === undefined ? '' : found));
}

function removeHeadingAttributes(heading: string): string {
  return heading.replace(ATTRIBUTES, '');
}
