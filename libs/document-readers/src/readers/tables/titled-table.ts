import type { Block, BlockPosition } from '../block.js';
import { isHeaderRow, toRectangularRows, createTableBlocks, type Table } from './format-table.js';

/** Maximum number of characters of a title. A longer text above a table is not a title. */
const MAX_TITLE_CHARACTERS = 200;

/**
 * Yields rows as a table. The rows above the table, which have a single cell each, become its title, or a text if they
 * are too long for a title. Yields only text if no row has several cells.
 */
export function* createTitledTableBlocks(
  position: BlockPosition,
  rows: Table['rows'],
  firstRow: number,
): Generator<Block> {
  const start = rows.findIndex((row) => listFilledCells(row).length > 1);
  const above = start < 0 ? rows : rows.slice(0, start);
  const text = above.flatMap(listFilledCells).join('\n');
  const isTitle = start >= 0 && text !== '' && text.length <= MAX_TITLE_CHARACTERS;
  const headingPath = isTitle ? [...position.headingPath, text] : position.headingPath;
  if (isTitle) yield { ...position, kind: 'heading', text, headingPath, level: headingPath.length };
  else if (text !== '') yield { ...position, kind: 'text', text };
  if (start < 0) return;
  const table = toRectangularRows(rows.slice(start));
  yield* createTableBlocks({
    rows: table,
    firstRow: firstRow + start,
    hasHeader: isHeaderRow(table),
    position: { ...position, headingPath },
  });
}

function listFilledCells(row: readonly string[]): readonly string[] {
  return row.filter((cell) => cell.trim() !== '');
}
