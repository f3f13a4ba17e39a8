import type { Block } from '../block.js';
import { relatedParts, type PackageParts } from './package-parts.js';
import { descendants, walkXml, type XmlElement } from './xml.js';

/** Page numbers say nothing about a document; `March 2007` and `Section 3` look like one, but are no fields. */
const PAGE_NUMBER = /^(?:\p{L}+\.?\s*)?\d+(?:\s*(?:\/|\p{L}+)\s*\d+)?$/u;
const PAGE_FIELD = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i;
/** Of the text that a comment is about. */
const MAX_QUOTE = 200;

/** What stands beside a Word document's text: comments, and each page's head and foot, once. */
export function* wordExtras(parts: PackageParts, name: string): Generator<Block> {
  yield* asBlock(commentsOf(parts, name), 'comments');
  yield* asBlock(linesOf(parts, name, 'header'), 'page header');
  yield* asBlock(linesOf(parts, name, 'footer'), 'page footer');
}

function* asBlock(lines: readonly string[], location: string): Generator<Block> {
  const text = lines.join('\n');
  if (text !== '') yield { kind: 'text', text, headingPath: [], page: null, location };
}

function linesOf(parts: PackageParts, name: string, type: 'header' | 'footer'): readonly string[] {
  const paragraphs = relatedParts(parts, name, type).flatMap(({ content }) => [...descendants(content, 'p')]);
  const lines = paragraphs.filter((paragraph) => !isPageNumber(paragraph)).map(textOf);
  return [...new Set(lines)].filter((line) => line !== '');
}

function isPageNumber(paragraph: XmlElement): boolean {
  const text = textOf(paragraph);
  if (/^\d+$/.test(text)) return true;
  const fields = [
    ...[...descendants(paragraph, 'instrText')].map((field) => field.text),
    ...[...descendants(paragraph, 'fldSimple')].map((field) => field.attributes['w:instr'] ?? ''),
  ];
  return PAGE_NUMBER.test(text) && fields.some((field) => PAGE_FIELD.test(field));
}

function commentsOf(parts: PackageParts, name: string): readonly string[] {
  const comments = relatedParts(parts, name, 'comments').flatMap(({ content }) => [...descendants(content, 'comment')]);
  if (comments.length === 0) return [];
  const quotes = quotedText(parts.text(name) ?? '');
  return comments.map((comment) => {
    const text = [...descendants(comment, 'p')].map(textOf).join(' ').trim();
    const quote = quotes.get(comment.attributes['w:id'] ?? '')?.trim() ?? '';
    const author = comment.attributes['w:author'] ?? '';
    const about = quote === '' ? '' : ` on “${quote.slice(0, MAX_QUOTE).toWellFormed()}”`;
    return text === '' ? '' : `Comment${author === '' ? '' : ` by ${author}`}${about}: ${text}`;
  });
}

/** The text that each comment is about, by the comment's id. Source: ECMA-376, part 1, section 17.13.4. */
function quotedText(document: string): ReadonlyMap<string, string> {
  const quotes = new Map<string, string>();
  const open = new Set<string>();
  let isText = false;
  walkXml(document, {
    open: (name, attributes) => {
      const id = attributes['w:id'] ?? '';
      if (name === 'w:commentRangeStart') open.add(id);
      else if (name === 'w:commentRangeEnd') open.delete(id);
      isText = name === 'w:t';
    },
    text: (text) => {
      if (isText) for (const id of open) quotes.set(id, ((quotes.get(id) ?? '') + text).slice(0, MAX_QUOTE + 1));
    },
    close: () => {
      isText = false;
    },
  });
  return quotes;
}

/** A paragraph's text; without what was deleted and is only kept as a change. */
function textOf(paragraph: XmlElement): string {
  return pieces(paragraph).join('').replace(/\s+/g, ' ').trim();
}

function pieces(element: XmlElement): readonly string[] {
  return element.children.flatMap((below) => {
    if (below.name === 't') return below.text;
    if (below.name === 'tab' || below.name === 'br') return ' ';
    // Text in a shape is a paragraph of its own; of two versions of it, the later is for older programs.
    if (below.name === 'p' || below.name === 'Fallback') return [];
    return below.name === 'del' ? [] : pieces(below);
  });
}
