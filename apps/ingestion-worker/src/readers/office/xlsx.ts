import readSheets, { type Row } from 'read-excel-file/node';
import type { Block } from '../block.js';
import type { Reader } from '../reader.js';
import { looksLikeHeader, rectangle, tableBlocks } from '../tables/table-blocks.js';
import { checkArchive } from './open-archive.js';

/** A longer text in a row of its own is no title. */
const MAX_TITLE = 200;
/** What of a number is more than the error of its binary form. */
const DIGITS = 15;

/** Spreadsheets: the tables of each sheet, which stand apart by empty rows, with the titles above them. */
export const readXlsx: Reader = async function* (bytes, onProgress) {
  checkArchive(bytes);
  const sheets = await readSheets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  for (const [index, { sheet, data }] of sheets.entries()) {
    yield* blocksOfSheet(
      sheet,
      data.map((row) => row.map(textOfCell)),
    );
    onProgress({ done: index + 1, total: sheets.length, unit: 'sheets' });
  }
};

interface Region {
  readonly firstRow: number;
  readonly rows: readonly (readonly string[])[];
}

function* blocksOfSheet(sheet: string, rows: readonly (readonly string[])[]): Generator<Block> {
  const regions = regionsOf(rows);
  if (regions.length === 0) return;
  yield { kind: 'heading', text: sheet, headingPath: [sheet], page: null, location: `sheet ${sheet}`, level: 1 };
  for (const region of regions) yield* blocksOfRegion(sheet, region);
}

function* blocksOfRegion(sheet: string, { firstRow, rows }: Region): Generator<Block> {
  const place = { page: null, location: `sheet ${sheet}` };
  const isTable = rows.some((row) => filled(row).length > 1);
  const titles = isTable
    ? rows.slice(
        0,
        rows.findIndex((row) => filled(row).length > 1),
      )
    : [];
  const title = titles.map((row) => filled(row).join('')).join('\n');
  const isHeading = title !== '' && title.length <= MAX_TITLE;
  const headingPath = isHeading ? [sheet, title] : [sheet];
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

/** Rows that have no empty row between them. Sheets count their rows from 1. */
function regionsOf(rows: readonly (readonly string[])[]): readonly Region[] {
  const regions: { firstRow: number; rows: (readonly string[])[] }[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    const isEmpty = filled(row).length === 0;
    if (!isEmpty && !isOpen) regions.push({ firstRow: index + 1, rows: [] });
    if (!isEmpty) regions.at(-1)?.rows.push(row);
    isOpen = !isEmpty;
  }
  return regions;
}

function filled(row: readonly string[]): readonly string[] {
  return row.filter((cell) => cell.trim() !== '');
}

function textOfCell(cell: Row[number]): string {
  const value: unknown = cell;
  if (value instanceof Date) return textOfDate(value);
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Excel knows no time zone: what a person sees in the cell is what stands here in UTC. */
function textOfDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
