import readSheets, { type Row } from 'read-excel-file/node';
import type { Block } from '../block.js';
import type { Reader } from '../reader.js';
import { looksLikeHeader, rectangle, tableBlocks } from '../tables/table-blocks.js';
import { openPackage } from './package-parts.js';
import { plainNumber } from './plain-number.js';
import { sheetExtras } from './sheet-extras.js';
import { withMerges } from './sheet-merges.js';
import { regionsOf, type Region } from './sheet-regions.js';
import { withoutUnusedCells } from './used-cells.js';
import { sheetsOf } from './workbook.js';

type Place = Pick<Block, 'headingPath' | 'page' | 'location'>;

/** A longer text in a row of its own is no title. */
const MAX_TITLE = 200;

/** Spreadsheets: the tables of each sheet with the titles above them, its charts and its comments. Hidden sheets say so. */
export const readXlsx: Reader = async function* (bytes, onProgress) {
  const parts = openPackage(bytes);
  const { workbook, sheets } = sheetsOf(parts);
  const read = await readSheets(Buffer.from(withoutUnusedCells(bytes, parts)));
  const cells = new Map(read.map(({ sheet, data }) => [sheet, data]));
  for (const [index, { name, part, isHidden }] of sheets.entries()) {
    const rows = (cells.get(name) ?? []).map((row) => row.map(textOfCell));
    const title = isHidden ? `${name} (hidden)` : name;
    const place = { headingPath: [title], page: null, location: `sheet ${title}` };
    const blocks = [
      ...regionsOf(withMerges(rows, parts.text(part) ?? '')).flatMap((region) => [...blocksOfRegion(place, region)]),
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

function textOfCell(cell: Row[number]): string {
  const value: unknown = cell;
  if (value instanceof Date) return textOfDate(value);
  if (typeof value === 'number') return plainNumber(value);
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Excel knows no time zone: what a person sees in the cell is what stands here in UTC. */
function textOfDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
