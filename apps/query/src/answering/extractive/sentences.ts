import { detectLanguage } from '@quarry/text-analysis';
import { findSentenceStarts } from '@quarry/text-analysis/sentence-starts';
import { isLikelyCode } from './code.js';
import { formatTableRows } from './table-rows.js';

/** Describes a sentence, heading, list item, table row or piece of code of a passage. */
export interface Sentence {
  readonly text: string;
  readonly kind: 'prose' | 'heading' | 'item' | 'row' | 'code';
  /**
   * True for a heading, a question or a line that ends with a colon. It introduces the text after it, and does not
   * answer a question itself.
   */
  readonly isLeadIn: boolean;
  /**
   * True if the text has a line of its own: for a heading, an item, a row, code, or a paragraph without an end mark.
   */
  readonly isLine: boolean;
  /** Subject of a table row: its first value. Undefined for kinds other than `row`. */
  readonly subject?: string | undefined;
}

const HEADING = /^\s*#{1,6}\s+/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/**
 * Matches the start of a numbered item other than the first. As in CommonMark, it does not interrupt a sentence, so that
 * a wrapped line can start with `3. Oktober`.
 */
const LATER_ITEM = /^\s*(?!0?1\.)\d{1,3}\./;
/** Minimum length of a line that can be wrapped, in characters. A shorter line is probably a heading without markup. */
const MIN_WRAPPED_LENGTH = 20;
const ROW = /^\s*\|/;
/**
 * Matches a line with a number in a cell after the first one, in a table without Markdown markup: `Revenue | $ 5.00`.
 */
const NUMBER_CELL = /\S\s\|\s[-+(]*\s?\p{Sc}?\s?\(?\d[\d.,]*\s?\)?\s?[%\p{Sc}]?\s?\)?(?:\s\||$)/u;
const RULE = /^[\s|:=_*-]*$/;
const FENCE = /^\s*(?:```|~~~)/;
/** Matches the number signs that close a heading, and the spaces around them: `## Prices ##`. */
const HEADING_END = /(?<!\s)\s+#+\s*$/;
const BOLD = /\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*/g;
/**
 * Matches a link to another part of the same document or site. The address of such a link has no meaning in an answer.
 * Neither text nor address may contain `[`: a search would need quadratic time for many unclosed brackets.
 */
const RELATIVE_LINK = /\[([^[\]]+)\]\((?!\w+:)[^)\s[]*\)/g;
/** Matches a command that is followed by at least two spaces and a comment. */
const COMMENTED = /\S {2,}(?:#|\/\/) \S/;
const ENDS_SENTENCE = /[.!?…。！？؟।։።]["'”’)\]]*$/;
const LEADS_IN = /[?？؟:：]["'”’)]*$/;
const MAX_LENGTH = 600;
const MAX_HEADING_LENGTH = 90;
const BREAK = /[\s,;、，；]/;

/**
 * Splits plain text or Markdown, in any language, into its sentences in text order. The column headers of a table
 * become part of each row, and are no sentence of their own.
 */
export function splitIntoSentences(text: string): Sentence[] {
  const paragraphs = splitIntoParagraphs(text);
  return paragraphs.flatMap((paragraph, at) => {
    const isHeading = paragraph.kind === 'heading' || isLikelyHeading(paragraph, paragraphs[at + 1]);
    return isHeading ? [createSentence(paragraph.lines.join(' '), 'heading')] : splitParagraph(paragraph);
  });
}

interface Paragraph {
  readonly kind: Sentence['kind'];
  /** Lines of the paragraph, without the markers of headings and list items. */
  readonly lines: string[];
}

/** Splits text into paragraphs. All rows of a table are one paragraph, and so are all lines of code. */
function splitIntoParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | undefined;
  let isFenced = false;
  for (const line of text.split('\n')) {
    const kind = isFenced ? 'code' : detectLineKind(line, open);
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      open = undefined;
    } else if (kind !== 'row' && kind !== 'code' && RULE.test(line)) open = undefined;
    else if (
      open !== undefined &&
      (kind === open.kind || (kind === 'prose' && open.kind === 'item')) &&
      kind !== 'item'
    )
      open.lines.push(stripMarkup(line, kind));
    else {
      const paragraph = { kind, lines: [stripMarkup(line, kind)] };
      paragraphs.push(paragraph);
      open = kind === 'heading' ? undefined : paragraph;
    }
  }
  return paragraphs;
}

function detectLineKind(line: string, open: Paragraph | undefined): Paragraph['kind'] {
  if (HEADING.test(line)) return 'heading';
  if (ROW.test(line) || NUMBER_CELL.test(line)) return 'row';
  return ITEM.test(line) && !(LATER_ITEM.test(line) && isInsideSentence(open)) ? 'item' : 'prose';
}

/** Returns whether the next line can continue the sentence in the last line of the open paragraph. */
function isInsideSentence(open: Paragraph | undefined): boolean {
  const line = open?.kind === 'prose' ? (open.lines.at(-1) ?? '') : '';
  return line.length >= MIN_WRAPPED_LENGTH && !ENDS_SENTENCE.test(line) && !LEADS_IN.test(line);
}

function stripMarkup(line: string, kind: Paragraph['kind']): string {
  if (kind === 'row' || kind === 'code') return line;
  if (kind === 'heading') return line.replace(HEADING, '').replace(HEADING_END, '').trimEnd();
  return (kind === 'item' ? line.replace(ITEM, '') : line).trimEnd();
}

/**
 * Returns whether a paragraph is probably a heading without markup: a single short line without an end mark above other
 * text.
 */
function isLikelyHeading({ kind, lines }: Paragraph, next: Paragraph | undefined): boolean {
  const [line = ''] = lines;
  if (kind !== 'prose' || lines.length > 1 || line.length > MAX_HEADING_LENGTH || ENDS_SENTENCE.test(line))
    return false;
  if (next === undefined || LEADS_IN.test(line) || isLikelyCode(line)) return false;
  const end = next.lines.at(-1) ?? '';
  return next.kind !== 'prose' || ENDS_SENTENCE.test(end) || LEADS_IN.test(end) || isLikelyCode(next.lines.join(' '));
}

function splitParagraph({ kind, lines }: Paragraph): Sentence[] {
  if (kind === 'row') return formatTableRows(lines).flatMap(createRowSentences);
  const isCode =
    kind === 'code' ||
    (kind === 'prose' && isLikelyCode(stripInlineMarkup(lines.join('\n')))) ||
    lines.some((line) => COMMENTED.test(line));
  if (isCode) return groupCodeLines(lines).map((text) => createSentence(text, 'code'));
  const text = stripInlineMarkup(lines.map((line) => line.trim()).join(' '));
  const parts = splitProse(text);
  const isLine = kind === 'item' || (parts.length === 1 && !ENDS_SENTENCE.test(text));
  return parts.flatMap(splitLongSentence).map((part) => createSentence(part, kind, isLine));
}

function createRowSentences({ text, subject }: { readonly text: string; readonly subject: string }): Sentence[] {
  return splitLongSentence(stripInlineMarkup(text)).map((part) => ({ ...createSentence(part, 'row'), subject }));
}

function createSentence(text: string, kind: Sentence['kind'], isLine = true): Sentence {
  return { text: text.trim(), kind, isLeadIn: kind === 'heading' || (kind !== 'code' && LEADS_IN.test(text)), isLine };
}

function stripInlineMarkup(text: string): string {
  return text.replace(BOLD, '$1').replace(RELATIVE_LINK, '$1');
}

function splitProse(paragraph: string): string[] {
  const starts = findSentenceStarts(paragraph, () => canBeGerman(paragraph));
  const parts = starts.map((start, at) => paragraph.slice(start, starts[at + 1]).trim());
  return parts.filter((part) => part !== '');
}

/** Returns whether a text is German, or has too few function words for a decision, such as `Der 1. FC Köln gewann`. */
function canBeGerman(text: string): boolean {
  return (detectLanguage(text) ?? 'de') === 'de';
}

/** Joins lines of code to groups of at most `MAX_LENGTH` characters. A longer line is split. */
function groupCodeLines(lines: readonly string[]): string[] {
  const groups: string[] = [];
  for (const line of lines.flatMap((each) => (each.length > MAX_LENGTH ? splitLongSentence(each) : [each]))) {
    const before = groups.at(-1);
    if (before === undefined || before.length + line.length >= MAX_LENGTH) groups.push(line);
    else groups.splice(-1, 1, `${before}\n${line}`);
  }
  return groups.filter((group) => group.trim() !== '');
}

/** Splits a sentence into parts of at most `MAX_LENGTH` characters, if possible at a space, comma or semicolon. */
function splitLongSentence(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_LENGTH) {
    const at = findBreakBefore(rest, MAX_LENGTH);
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...parts, rest].filter((part) => part !== '');
}

function findBreakBefore(text: string, end: number): number {
  for (let at = end; at > end / 2; at -= 1) if (BREAK.test(text[at - 1] ?? '')) return at;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}
