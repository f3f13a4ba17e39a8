import type { Block, BlockPosition } from '../block.js';
import { isHeaderRow, createTableBlocks } from '../tables/format-table.js';
import { readChart } from './chart.js';
import { readDiagram } from './diagram.js';
import { readDrawingParagraphs } from './drawing-text.js';
import { readRelatedParts, type PackageParts } from './package-parts.js';
import { findChild, findDescendants, type XmlElement } from './xml.js';

/**
 * Prefix of the author's name in an ordinary comment that copies a threaded comment. Files contain such copies for
 * older programs.
 */
const THREADED_AUTHOR_PREFIX = 'tc=';

/** Yields the charts, text boxes, diagrams and comments of a sheet. @param sheet name of the part with the sheet */
export function* readSheetDrawingsAndComments(
  parts: PackageParts,
  sheet: string,
  workbook: string,
  position: BlockPosition,
): Generator<Block> {
  for (const drawing of readRelatedParts(parts, sheet, 'drawing')) {
    const texts = [...findDescendants(drawing.content, 'txBody')]
      .flatMap(readDrawingParagraphs)
      .map(({ text }) => text);
    yield* createTextBlock(texts, position);
    for (const { attributes } of findDescendants(drawing.content, 'relIds')) {
      const boxes = readDiagram(parts, drawing.name, attributes['r:dm'] ?? '');
      yield* createTextBlock(
        boxes.map(({ text }) => text),
        position,
      );
    }
    for (const { content } of readRelatedParts(parts, drawing.name, 'chart'))
      yield* createChartBlocks(content, position);
  }
  yield* createTextBlock(
    [...readCellComments(parts, sheet), ...readThreadedComments(parts, sheet, workbook)],
    position,
  );
}

function* createTextBlock(lines: readonly string[], position: BlockPosition): Generator<Block> {
  const text = lines.filter((line) => line !== '').join('\n');
  if (text !== '') yield { ...position, kind: 'text', text };
}

function* createChartBlocks(chart: XmlElement, position: BlockPosition): Generator<Block> {
  const { title, rows } = readChart(chart);
  yield* createTextBlock([title], position);
  const hasHeader = isHeaderRow(rows) || rows.length > 1;
  if (rows.length > 0) yield* createTableBlocks({ rows, firstRow: null, hasHeader, position });
}

function readCellComments(parts: PackageParts, sheet: string): readonly string[] {
  return readRelatedParts(parts, sheet, 'comments').flatMap(({ content }) => {
    const authors = [...findDescendants(content, 'author')].map((author) => author.text);
    return [...findDescendants(content, 'comment')].map((comment) => {
      const author = authors[Number(comment.attributes['authorId'] ?? 0)] ?? '';
      const text = [...findDescendants(comment, 't')].map((part) => part.text).join('');
      return author.startsWith(THREADED_AUTHOR_PREFIX) ? '' : formatComment(author, comment.attributes['ref'], text);
    });
  });
}

/** Reads the threaded comments of a sheet. Source: [MS-XLSX], section 2.6.205. */
function readThreadedComments(parts: PackageParts, sheet: string, workbook: string): readonly string[] {
  const lists = readRelatedParts(parts, sheet, 'threadedComment');
  if (lists.length === 0) return [];
  const persons = readRelatedParts(parts, workbook, 'person').flatMap(({ content }) => [
    ...findDescendants(content, 'person'),
  ]);
  const names = new Map(persons.map(({ attributes }) => [attributes['id'] ?? '', attributes['displayName'] ?? '']));
  return lists.flatMap(({ content }) =>
    [...findDescendants(content, 'threadedComment')].map((comment) => {
      const { personId = '', ref } = comment.attributes;
      return formatComment(names.get(personId) ?? '', ref, findChild(comment, 'text')?.text ?? '');
    }),
  );
}

function formatComment(author: string, cell: string | undefined, text: string): string {
  const by = author === '' ? '' : ` by ${author}`;
  return text.trim() === '' ? '' : `Comment${by} on ${cell ?? 'a cell'}: ${text.replace(/\s+/g, ' ').trim()}`;
}
