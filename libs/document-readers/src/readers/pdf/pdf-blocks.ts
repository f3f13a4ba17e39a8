import type { Block, BlockKind } from '../block.js';
import { HeadingPath } from '../heading-path.js';
import { joinLines, vocabularyOf } from './join-lines.js';
import { isRow } from './line.js';
import { withNamesFromAbove } from './names-above-headings.js';
import { isListItem, paragraphsOf, type PageLine } from './line-paragraphs.js';
import { isHeading, levelsOf, styleOf } from './style.js';
import { tableOfLines } from './table-of-lines.js';

interface Paragraph {
  readonly kind: BlockKind;
  readonly text: string;
  readonly lines: readonly PageLine[];
}

/** A label between two rows belongs to their table; more labels than this in a row do not. */
const MAX_LABELS = 2;
const MIN_ROWS = 2;
/** In lines: a row with a high cell is lower. */
const FAR = 12;

/** A document's lines in reading order to its blocks. */
export function* blocksOfLines(lines: readonly PageLine[]): Generator<Block> {
  const style = styleOf(lines);
  const vocabulary = vocabularyOf(lines);
  const found = paragraphsOf(lines, style).map((paragraph): Paragraph => {
    const text = joinLines(paragraph, vocabulary);
    return { lines: paragraph, text, kind: kindOf(paragraph, isHeading(paragraph, text, style)) };
  });
  const paragraphs = withNamesFromAbove(merged(withoutLoneRows(found)), ({ kind }) => kind === 'table', joined);
  const headings = paragraphs
    .filter((paragraph) => paragraph.kind === 'heading')
    .flatMap(({ lines: [line] }) => line ?? []);
  const levelOf = levelsOf(headings, style);
  const path = new HeadingPath();
  for (const { kind, text, lines: all } of paragraphs) {
    const [line] = all;
    if (line === undefined) continue;
    const level = kind === 'heading' ? levelOf(line) : undefined;
    if (level !== undefined) path.enter(level, text);
    const place = { headingPath: path.texts, page: line.page, location: null };
    const table = kind === 'table' ? tableOfLines(all, text, path.texts) : undefined;
    if (table !== undefined) yield* table;
    else yield { kind, text, ...place, ...(level === undefined ? {} : { level }) };
  }
}

function kindOf(lines: readonly PageLine[], heading: boolean): BlockKind {
  const [first] = lines;
  if (first === undefined) return 'text';
  if (isRow(first)) return 'table';
  if (heading) return 'heading';
  return isListItem(first) ? 'list' : 'text';
}

/** One row by itself is a line with a gap in it; labels between rows are rows. */
function withoutLoneRows(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  const kinds = paragraphs.map((paragraph) => paragraph.kind);
  let start = 0;
  while (start < paragraphs.length) {
    const end = endOfTable(paragraphs, start);
    const rows = paragraphs.slice(start, end).filter((paragraph) => paragraph.kind === 'table').length;
    kinds.fill(rows >= MIN_ROWS ? 'table' : 'text', start, rows > 0 ? end : start);
    start = Math.max(end, start + 1);
  }
  return paragraphs.map((paragraph, index) => ({ ...paragraph, kind: kinds[index] ?? paragraph.kind }));
}

/** Behind the last row of the table that begins at `start`; `start` itself when none does. */
function endOfTable(paragraphs: readonly Paragraph[], start: number): number {
  let end = start;
  for (let index = start; index <= end + MAX_LABELS; index += 1) {
    const paragraph = paragraphs[index];
    if (paragraph === undefined || (index === start && paragraph.kind !== 'table')) break;
    const before = paragraphs[index - 1];
    if (index > start && before !== undefined && beginsTable(paragraph, before)) break;
    if (paragraph.kind === 'table') end = index + 1;
    else if (paragraph.kind !== 'text' || paragraph.lines.length > 1) break;
  }
  return end;
}

/** Rows to tables, items to lists. */
function merged(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  const result: Paragraph[] = [];
  for (const paragraph of paragraphs) {
    const before = result.at(-1);
    const ofOneKind = before?.kind === paragraph.kind && (paragraph.kind === 'table' || paragraph.kind === 'list');
    if (before !== undefined && ofOneKind && !beginsTable(paragraph, before)) {
      result[result.length - 1] = joined(before, paragraph);
    } else result.push(paragraph);
  }
  return result;
}

function joined(one: Paragraph, next: Paragraph): Paragraph {
  return { kind: next.kind, lines: [...one.lines, ...next.lines], text: `${one.text}\n${next.text}` };
}

/** Behind other rows, names of columns are those of another table; and the foot of a page is none of its head's. */
function beginsTable({ lines: [first] }: Paragraph, before: Paragraph): boolean {
  const last = before.lines.at(-1);
  if (first === undefined || last === undefined) return false;
  const distance = Math.max(last.bottom - first.top, first.bottom - last.top);
  return (first.ofTable === true && last.ofTable !== true) || (first.page === last.page && distance > FAR * first.size);
}
