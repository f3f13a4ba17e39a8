import { buildRunMarkup } from './word-markup.js';
import type { WordNumbering, Label } from './word-numbering.js';
import { readOutlineLevel, readNumberingReference, type WordStyles } from './word-styles.js';
import { findChild, parseXml } from './xml.js';

/**
 * Markup that removes a paragraph from its list: list number 0 means no list. Source: ECMA-376, part 1, section
 * 17.9.18.
 */
const NO_LIST = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';
const LIST = /<w:numPr\b[^>]*?(?:\/>|>[\s\S]*?<\/w:numPr>)/;
const STYLE = /<w:pStyle\b[^>]*?\/>/;
/** Maximum number of characters of a heading. A longer paragraph is text, even if it has an outline level. */
const MAX_HEADING_CHARACTERS = 200;
const MAX_LEVEL = 6;
/** The Unicode noncharacters that mark the start and the end of the number of a list item. */
const MARKS = ['\uFDD0', '\uFDD1'] as const;
const MARKED = new RegExp(`(?:\\d+\\. )?${MARKS[0]}([^${MARKS[1]}]*)${MARKS[1]}`, 'g');

/** Describes the position of a paragraph in the outline and in lists. */
export interface ParagraphOutline {
  /** XML of the paragraph properties (`w:pPr`). */
  readonly source: string;
  readonly label: Label | undefined;
  /** Heading level of the paragraph, from 1; 0 if it is text. */
  readonly heading: number;
  /** True if the paragraph is text although its style is the style of a heading. */
  readonly overridesHeadingStyle: boolean;
}

/**
 * Reads the outline level and the list number of a paragraph. Advances the numbering, so call this function once per
 * paragraph, in document order. @param source XML of the paragraph properties (`w:pPr`)
 */
export function readParagraphOutline(
  source: string,
  styles: WordStyles,
  numbering: WordNumbering | undefined,
): ParagraphOutline {
  const properties = findChild(parseXml(source), 'pPr');
  const styleId = findChild(properties, 'pStyle')?.attributes['w:val'];
  const headingOfStyle = styles.getHeadingLevel(styleId) ?? 0;
  const heading = readOutlineLevel(properties) ?? headingOfStyle;
  const label = numbering?.numberParagraph(styleId, readNumberingReference(properties));
  return { source, label, heading, overridesHeadingStyle: heading === 0 && headingOfStyle > 0 };
}

/**
 * Rewrites paragraph properties so that mammoth detects headings, and adds the number of the paragraph. In headings and
 * clauses, the number is part of the text. In other list items, the number is between marks for `replaceListMarks`,
 * because mammoth numbers lists differently from Word.
 *
 * @param length length of the text of the paragraph
 * @returns the new properties, followed by a run with the number if the paragraph has one; undefined if nothing changes
 */
export function rewriteParagraphProperties(
  { source, label, heading, overridesHeadingStyle }: ParagraphOutline,
  length: number,
): string | undefined {
  const isHeading = heading > 0 && heading <= MAX_LEVEL && length <= MAX_HEADING_CHARACTERS && label?.kind !== 'bullet';
  const isNumbered = label !== undefined && label.kind !== 'bullet';
  if (length === 0 || (!isHeading && !isNumbered && !overridesHeadingStyle)) return undefined;
  const isInText = isNumbered && (isHeading || heading > 0 || label.kind === 'clause');
  const unstyled = isHeading || overridesHeadingStyle ? source.replace(STYLE, '') : source;
  const styled = isHeading ? insertAsFirstChild(unstyled, `<w:pStyle w:val="Heading${heading}"/>`) : unstyled;
  if (!isNumbered) return styled;
  if (isInText) return `${insertAsLastChild(styled.replace(LIST, ''), NO_LIST)}${buildRunMarkup(`${label.text} `)}`;
  return `${styled}${buildRunMarkup(`${MARKS[0]}${label.text}${MARKS[1]}`)}`;
}

/**
 * Replaces the number that mammoth has written before each list item by the number that Word displays. The text
 * contains the number of Word between marks (`MARKS`), directly after the number of mammoth.
 */
export function replaceListMarks(text: string): string {
  return text.replace(MARKED, '$1 ');
}

function insertAsFirstChild(properties: string, element: string): string {
  const start = properties.indexOf('>') + 1;
  return `${properties.slice(0, start)}${element}${properties.slice(start)}`;
}

function insertAsLastChild(properties: string, element: string): string {
  const end = properties.lastIndexOf('</w:pPr>');
  return `${properties.slice(0, end)}${element}</w:pPr>`;
}
