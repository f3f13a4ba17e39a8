import { run } from './word-markup.js';
import type { WordNumbering, Label } from './word-numbering.js';
import { outlineLevel, referenceOf, type WordStyles } from './word-styles.js';
import { child, parseXml } from './xml.js';

/** No list has the number 0. Source: ECMA-376, part 1, section 17.9.18. */
const NO_LIST = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';
const LIST = /<w:numPr\b[^>]*?(?:\/>|>[\s\S]*?<\/w:numPr>)/;
const STYLE = /<w:pStyle\b[^>]*?\/>/;
/** A longer text, in characters, is no heading, whatever its place in the outline. */
const MAX_HEADING = 200;
const MAX_LEVEL = 6;
/** Around a number in a list: characters that no text has. */
const MARKS = ['\uFDD0', '\uFDD1'] as const;
const MARKED = new RegExp(`(?:\\d+\\. )?${MARKS[0]}([^${MARKS[1]}]*)${MARKS[1]}`, 'g');

/** What a paragraph's properties say of its place in the outline and in lists. */
export interface ParagraphPlace {
  /** `w:pPr`, as it is written. */
  readonly source: string;
  readonly label: Label | undefined;
  /** From 1; 0 for text. */
  readonly heading: number;
}

/** To be called once for each paragraph, in the order of the document. @param source `w:pPr` */
export function placeOfParagraph(
  source: string,
  styles: WordStyles,
  numbering: WordNumbering | undefined,
): ParagraphPlace {
  const properties = child(parseXml(source), 'pPr');
  const styleId = child(properties, 'pStyle')?.attributes['w:val'];
  const heading = styles.headingLevel(styleId) ?? outlineLevel(properties) ?? 0;
  return { source, label: numbering?.next(styleId, referenceOf(properties)), heading };
}

/**
 * Properties by which mammoth knows a heading, and the number behind them: in the text for headings and clauses, marked in
 * lists, which mammoth counts by itself and not as Word does.
 *
 * @param length of the paragraph's text @returns undefined where nothing is to be changed
 */
export function rewrittenPlace({ source, label, heading }: ParagraphPlace, length: number): string | undefined {
  const isHeading = heading > 0 && heading <= MAX_LEVEL && length <= MAX_HEADING && label?.kind !== 'bullet';
  const isNumbered = label !== undefined && label.kind !== 'bullet';
  if (length === 0 || (!isHeading && !isNumbered)) return undefined;
  const isInText = isNumbered && (isHeading || heading > 0 || label.kind === 'clause');
  const styled = isHeading ? withFirst(source.replace(STYLE, ''), `<w:pStyle w:val="Heading${heading}"/>`) : source;
  if (!isNumbered) return styled;
  if (isInText) return `${withLast(styled.replace(LIST, ''), NO_LIST)}${run(`${label.text} `)}`;
  return `${styled}${run(`${MARKS[0]}${label.text}${MARKS[1]}`)}`;
}

/** Text with the numbers of lists as Word shows them. */
export function withListNumbers(text: string): string {
  return text.replace(MARKED, '$1 ');
}

function withFirst(properties: string, element: string): string {
  const start = properties.indexOf('>') + 1;
  return `${properties.slice(0, start)}${element}${properties.slice(start)}`;
}

function withLast(properties: string, element: string): string {
  const end = properties.lastIndexOf('</w:pPr>');
  return `${properties.slice(0, end)}${element}</w:pPr>`;
}
