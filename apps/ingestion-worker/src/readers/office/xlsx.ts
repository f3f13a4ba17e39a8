import type { Block } from '../block.js';
import type { Reader } from '../reader.js';
import { looksLikeHeader, rectangle, tableBlocks } from '../tables/table-blocks.js';
import { cellTexts } from './cell-texts.js';
import { openPackage } from './package-parts.js';
import { sheetCells } from './sheet-cells.js';
import { sheetExtras } from './sheet-extras.js';
import { regionsOf, type Region } from './sheet-regions.js';
import { sheetsOf } from './workbook.js';

type Place = Pick<Block, 'headingPath' | 'page' | 'location'>;

/** Of a sheet whose part is missing. */
const NO_CELLS = '<worksheet/>';
/** A longer text in a row of its own is no title. */
const MAX_TITLE = 200;

/** Spreadsheets: the tables of each sheet with the titles above them, its charts and its comments. Hidden sheets say so. */
// eslint-disable-next-line @typescript-eslint/require-await -- a reader's shape; this one has nothing to wait for
export const readXlsx: Reader = async function* (bytes, onProgress) {
  const parts = openPackage(bytes);
  const { workbook, sheets, from1904 } = sheetsOf(parts);
  const textOf = cellTexts(parts, workbook, from1904);
  for (const [index, { name, part, isHidden }] of sheets.entries()) {
    const rows = sheetCells(parts.text(part) ?? NO_CELLS, textOf);
    const title = isHidden ? `${name} (hidden)` : name;
    const place = { headingPath: [title], page: null, location: `sheet ${title}` };
    const blocks = [
      ...regionsOf(rows).flatMap((region) => [...blocksOfRegion(place, region)]),
      ...sheetExtras(parts, part, workbook, place),
    ];
    if (blocks.length > 0) yield { ...place, kind: 'heading', text: title, level: 1 };
    yield* blocks;
    onProgress({ done: index + 1, total: sheets.length, unit: 'sheets' });
  }
};

function* blocksOfRegion(place: Place, { firstRow, rows }: Region): Generator<Block> {
  const isTable = rows.some((row) => filled(row).length > 1);
  const titles = isTable
    ? rows.slice(
        0,
        rows.findIndex((row) => filled(row).length > 1),
      )
    : [];
  const title = titles.map((row) => filled(row).join('')).join('\n');
  const isHeading = title !== '' && title.length <= MAX_TITLE;
  const headingPath = isHeading ? [...place.headingPath, title] : place.headingPath;
  if (title !== '') {
    yield {
      ...place,
      kind: isHeading ? 'heading' : 'text',
      text: title,
      headingPath,
      ...(isHeading ? { level: 2 } : {}),
    };
  }
  if (!isTable) {
    yield { ...place, kind: 'text', text: rows.map((row) => filled(row).join('')).join('\n'), headingPath };
    return;
  }
  const table = rectangle(rows.slice(titles.length));
  const hasHeader = looksLikeHeader(table);
  yield* tableBlocks({ rows: table, firstRow: firstRow + titles.length, hasHeader, place: { ...place, headingPath } });
}

function filled(row: readonly string[]): readonly string[] {
  return row.filter((cell) => cell.trim() !== '');
}
