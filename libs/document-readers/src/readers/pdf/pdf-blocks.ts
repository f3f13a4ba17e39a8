import type { Block, BlockKind } from '../block.js';
import { HeadingPath } from '../heading-path.js';
import { joinLinesIntoText, collectVocabulary, createWordCutCheck, type JoinedLines } from './join-lines.js';
import { isRowOfCells } from './line.js';
import { repeatSharedHeaders } from './shared-headers.js';
import { createListItemCheck, groupIntoParagraphs, type ListItemCheck, type PageLine } from './line-paragraphs.js';
import type { PageFrame } from './page-frame.js';
import { RectangleFinder } from './rectangle-finder.js';
import { isHeadingParagraph, createHeadingLevelFinder, detectBodyStyle } from './style.js';
import { buildTableBlocks } from './build-table-blocks.js';

interface Paragraph extends JoinedLines {
  readonly kind: BlockKind;
  readonly lines: readonly PageLine[];
}

/**
 * Maximum number of consecutive lines of text, such as row labels, between two rows of a table. More lines end the
 * table.
 */
const MAX_LABELS = 2;
const MIN_ROWS = 2;
/** Maximum distance between two rows of a table, in ems. The limit is high, because a row can have a tall cell. */
const MAX_ROW_DISTANCE = 12;

/** Builds blocks from the lines of a document in reading order. @param frames frames of all pages, in page order */
export function* buildPdfBlocks(lines: readonly PageLine[], frames: readonly PageFrame[]): Generator<Block> {
  const rectangleFinder = new RectangleFinder(lines, frames);
  const style = detectBodyStyle(lines);
  const vocabulary = collectVocabulary(lines);
  const endsInsideWord = createWordCutCheck(lines);
  const isListItem = createListItemCheck(lines);
  const found = groupIntoParagraphs(lines, style, isListItem).map((paragraph): Paragraph => {
    const joined = joinLinesIntoText(paragraph, vocabulary, endsInsideWord);
    return {
      lines: paragraph,
      ...joined,
      kind: determineBlockKind(paragraph, isHeadingParagraph(paragraph, joined.text, style), isListItem),
    };
  });
  const paragraphs = repeatSharedHeaders(
    mergeRowsAndListItems(reclassifyLoneRows(found)),
    ({ kind }) => kind === 'table',
    joinParagraphs,
  );
  const headings = paragraphs
    .filter((paragraph) => paragraph.kind === 'heading')
    .flatMap(({ lines: [line] }) => line ?? []);
  const getHeadingLevel = createHeadingLevelFinder(headings, style);
  const path = new HeadingPath();
  for (const { kind, text, starts, lines: all } of paragraphs) {
    const [line] = all;
    if (line === undefined) continue;
    const level = kind === 'heading' ? getHeadingLevel(line) : undefined;
    if (level !== undefined) path.enterHeading(level, text);
    const position = { headingPath: path.texts, page: line.page, location: null };
    const table = kind === 'table' ? buildTableBlocks(all, text, path.texts, rectangleFinder) : undefined;
    if (table !== undefined) yield* table;
    else {
      const rectangles = rectangleFinder.findTextRectangles(all, starts, text.length);
      yield { kind, text, ...position, rectangles, ...(level === undefined ? {} : { level }) };
    }
  }
}

function determineBlockKind(lines: readonly PageLine[], isHeading: boolean, isListItem: ListItemCheck): BlockKind {
  const [first] = lines;
  if (first === undefined) return 'text';
  if (isRowOfCells(first)) return 'table';
  if (isHeading) return 'heading';
  return isListItem(first) ? 'list' : 'text';
}

/**
 * Changes a single table row into text, because such a row is a line of text with a wide gap. Changes lines of text
 * between the rows of a table into rows.
 */
function reclassifyLoneRows(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  const kinds = paragraphs.map((paragraph) => paragraph.kind);
  let start = 0;
  while (start < paragraphs.length) {
    const end = findTableEnd(paragraphs, start);
    const rows = paragraphs.slice(start, end).filter((paragraph) => paragraph.kind === 'table').length;
    kinds.fill(rows >= MIN_ROWS ? 'table' : 'text', start, rows > 0 ? end : start);
    start = Math.max(end, start + 1);
  }
  return paragraphs.map((paragraph, index) => ({ ...paragraph, kind: kinds[index] ?? paragraph.kind }));
}

/** Returns the index after the last row of the table that begins at `start`, or `start` if no table begins there. */
function findTableEnd(paragraphs: readonly Paragraph[], start: number): number {
  let end = start;
  for (let index = start; index <= end + MAX_LABELS; index += 1) {
    const paragraph = paragraphs[index];
    if (paragraph === undefined || (index === start && paragraph.kind !== 'table')) break;
    const before = paragraphs[index - 1];
    if (index > start && before !== undefined && isNewTable(paragraph, before)) break;
    if (paragraph.kind === 'table') end = index + 1;
    else if (paragraph.kind !== 'text' || paragraph.lines.length > 1) break;
  }
  return end;
}

/** Merges adjacent rows into tables and adjacent items into lists. */
function mergeRowsAndListItems(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  const result: Paragraph[] = [];
  for (const paragraph of paragraphs) {
    const before = result.at(-1);
    const isMergeable = before?.kind === paragraph.kind && (paragraph.kind === 'table' || paragraph.kind === 'list');
    if (before !== undefined && isMergeable && !isNewTable(paragraph, before)) {
      result[result.length - 1] = joinParagraphs(before, paragraph);
    } else result.push(paragraph);
  }
  return result;
}

function joinParagraphs(one: Paragraph, next: Paragraph): Paragraph {
  const offset = one.text.length + 1;
  return {
    kind: next.kind,
    lines: [...one.lines, ...next.lines],
    text: `${one.text}\n${next.text}`,
    starts: [...one.starts, ...next.starts.map((start) => start + offset)],
  };
}

/**
 * Returns whether a paragraph starts a new table: it begins with column headers, is far from the previous row on the
 * same page, or is the first running foot that was moved.
 */
function isNewTable({ lines: [first] }: Paragraph, before: Paragraph): boolean {
  const last = before.lines.at(-1);
  if (first === undefined || last === undefined) return false;
  const distanceBetween = Math.max(last.bottom - first.top, first.bottom - last.top);
  return (
    first.isMovedFoot !== last.isMovedFoot ||
    (first.isTableRow === true && last.isTableRow !== true) ||
    (first.page === last.page && distanceBetween > MAX_ROW_DISTANCE * first.size)
  );
}
