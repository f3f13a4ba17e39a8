import type { Block } from '../block.js';
import { looksLikeHeader, toRectangle, tableBlocks, type Table } from './table-blocks.js';

/** A longer text in a row of its own is not a title. */
const MAX_TITLE_CHARACTERS = 200;

/** Yields a group of rows as a table, with rows of a single cell above it as its title; or as text if there is no table. */
export function* titledTableBlocks(place: Table['place'], rows: Table['rows'], firstRow: number): Generator<Block> {
  const start = rows.findIndex((row) => filledCells(row).length > 1);
  const above = start < 0 ? rows : rows.slice(0, start);
  const text = above.flatMap(filledCells).join('\n');
  const isTitle = start >= 0 && text !== '' && text.length <= MAX_TITLE_CHARACTERS;
  const headingPath = isTitle ? [...place.headingPath, text] : place.headingPath;
  if (isTitle) yield { ...place, kind: 'heading', text, headingPath, level: headingPath.length };
  else if (text !== '') yield { ...place, kind: 'text', text };
  if (start < 0) return;
  const table = toRectangle(rows.slice(start));
  yield* tableBlocks({
    rows: table,
    firstRow: firstRow + start,
    hasHeader: looksLikeHeader(table),
    place: { ...place, headingPath },
  });
}

function filledCells(row: readonly string[]): readonly string[] {
  return row.filter((cell) => cell.trim() !== '');
}
