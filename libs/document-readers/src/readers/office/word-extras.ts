import type { Block } from '../block.js';
import { readRelatedParts, type PackageParts } from './package-parts.js';
import { convertSymbolToText } from './word-symbols.js';
import { findDescendants, parseXmlEvents, removePrefix, type XmlElement } from './xml.js';

/**
 * Matches the text of a paragraph that can be a page number, such as `Page 3 of 9`. `March 2007` matches, too, so the
 * text counts as a page number only if the paragraph contains a page field.
 */
const PAGE_NUMBER = /^(?:\p{L}+\.?\s*)?\d+(?:\s*(?:\/|\p{L}+)\s*\d+)?$/u;
const PAGE_FIELD = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i;
/** Maps each element that stands for a character to the text of that character. Tabs and line ends become spaces. */
const SPECIAL_CHARACTERS = new Map([
  ...['tab', 'ptab', 'br', 'cr'].map((name) => [name, ' '] as const),
  ['noBreakHyphen', '\u2011'],
]);
/** Maximum number of characters that are quoted from the text to which a comment refers. */
const MAX_QUOTE_CHARACTERS = 200;

/**
 * Yields the comments of a Word document, and each distinct line of its headers and footers. @param name name of the
 * part that contains the document
 */
export function* readHeadersFootersAndComments(parts: PackageParts, name: string): Generator<Block> {
  yield* createTextBlock(readComments(parts, name), 'comments');
  yield* createTextBlock(readHeaderOrFooterLines(parts, name, 'header'), 'page header');
  yield* createTextBlock(readHeaderOrFooterLines(parts, name, 'footer'), 'page footer');
}

function* createTextBlock(lines: readonly string[], location: string): Generator<Block> {
  const text = lines.join('\n');
  if (text !== '') yield { kind: 'text', text, headingPath: [], page: null, location };
}

function readHeaderOrFooterLines(parts: PackageParts, name: string, type: 'header' | 'footer'): readonly string[] {
  const paragraphs = readRelatedParts(parts, name, type).flatMap(({ content }) => [...findDescendants(content, 'p')]);
  const lines = paragraphs.filter((paragraph) => !isPageNumber(paragraph)).map(getParagraphText);
  return [...new Set(lines)].filter((line) => line !== '');
}

function isPageNumber(paragraph: XmlElement): boolean {
  const text = getParagraphText(paragraph);
  if (/^\d+$/.test(text)) return true;
  const fields = [
    ...[...findDescendants(paragraph, 'instrText')].map((field) => field.text),
    ...[...findDescendants(paragraph, 'fldSimple')].map((field) => field.attributes['w:instr'] ?? ''),
  ];
  return PAGE_NUMBER.test(text) && fields.some((field) => PAGE_FIELD.test(field));
}

function readComments(parts: PackageParts, name: string): readonly string[] {
  const comments = readRelatedParts(parts, name, 'comments').flatMap(({ content }) => [
    ...findDescendants(content, 'comment'),
  ]);
  if (comments.length === 0) return [];
  const quotes = readCommentedTexts(parts.getText(name) ?? '');
  return comments.map((comment) => {
    const text = [...findDescendants(comment, 'p')].map(getParagraphText).join(' ').trim();
    const quote = quotes.get(comment.attributes['w:id'] ?? '')?.trim() ?? '';
    const author = comment.attributes['w:author'] ?? '';
    const quoted = quote === '' ? '' : ` on “${quote.slice(0, MAX_QUOTE_CHARACTERS).toWellFormed()}”`;
    return text === '' ? '' : `Comment${author === '' ? '' : ` by ${author}`}${quoted}: ${text}`;
  });
}

/** Returns the text to which each comment refers, keyed by comment id. Source: ECMA-376, part 1, section 17.13.4. */
function readCommentedTexts(document: string): ReadonlyMap<string, string> {
  const quotes = new Map<string, string>();
  const open = new Set<string>();
  let isText = false;
  const addText = (text: string): void => {
    for (const id of open) {
      const quote = `${quotes.get(id) ?? ''}${text}`.replace(/\s+/g, ' ');
      quotes.set(id, quote.slice(0, MAX_QUOTE_CHARACTERS + 1));
    }
  };
  parseXmlEvents(document, {
    open: (name, attributes) => {
      const id = attributes['w:id'] ?? '';
      if (name === 'w:commentRangeStart') open.add(id);
      else if (name === 'w:commentRangeEnd') open.delete(id);
      isText = name === 'w:t';
      const special = name === 'w:p' ? ' ' : getSpecialText(removePrefix(name), attributes);
      if (special !== undefined) addText(special);
    },
    text: (text) => {
      if (isText) addText(text);
    },
    close: () => {
      isText = false;
    },
  });
  return quotes;
}

/** Returns the text of a paragraph without tracked deletions. */
function getParagraphText(paragraph: XmlElement): string {
  return listDescendantTexts(paragraph).join('').replace(/\s+/g, ' ').trim();
}

/** Returns the text of an element that stands for a character, and undefined for other elements. */
function getSpecialText(name: string, attributes: Readonly<Record<string, string>>): string | undefined {
  return name === 'sym' ? convertSymbolToText(attributes) : SPECIAL_CHARACTERS.get(name);
}

function listDescendantTexts(element: XmlElement): readonly string[] {
  return element.children.flatMap((below) => {
    if (below.name === 't') return below.text;
    const special = getSpecialText(below.name, below.attributes);
    if (special !== undefined) return special;
    // Skips a paragraph in a shape, which is read separately, and a fallback, which repeats text for older programs.
    if (below.name === 'p' || below.name === 'Fallback') return [];
    return below.name === 'del' ? [] : listDescendantTexts(below);
  });
}
