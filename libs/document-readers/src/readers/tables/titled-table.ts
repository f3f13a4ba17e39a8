import type { Block } from '../block.js';
import { looksLikeHeader, rectangle, tableBlocks, type Table } from './table-blocks.js';

/** A longer text in a row of its own is no title. */
const MAX_TITLE = 200;

/** Rows that belong together: a table, with its title in rows of one cell above it, or just text. */
export function* titledTable(place: Table['place'], rows: Table['rows'], firstRow: number): Generator<Block> {
  const begin = rows.findIndex((row) => filled(row).length > 1);
  const above = begin < 0 ? rows : rows.slice(0, begin);
  const text = above.flatMap(filled).join('\n');
  const isTitle = begin >= 0 && text !== '' && text.length <= MAX_TITLE;
  const headingPath = isTitle ? [...place.headingPath, text] : place.headingPath;
  if (isTitle) yield { ...place, kind: 'heading', text, headingPath, level: headingPath.length };
  else if (text !== '') yield { ...place, kind: 'text', text };
  if (begin < 0) return;
  const table = rectangle(rows.slice(begin));
  yield* tableBlocks({
    rows: table,
    firstRow: firstRow + begin,
    hasHeader: looksLikeHeader(table),
    place: { ...place, headingPath },
  });
}

function filled(row: readonly string[]): readonly string[] {
  return row.filter((cell) => cell.trim() !== '');
}
