import type { Reader } from '../reader.js';
import { titledTable } from '../tables/titled-table.js';
import { cellTexts } from './cell-texts.js';
import { openPackage } from './package-parts.js';
import { sheetCells } from './sheet-cells.js';
import { sheetExtras } from './sheet-extras.js';
import { regionsOf } from './sheet-regions.js';
import { sheetsOf } from './workbook.js';

/** Of a sheet whose part is missing. */
const NO_CELLS = '<worksheet/>';

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
      ...regionsOf(rows).flatMap((region) => [...titledTable(place, region.rows, region.firstRow)]),
      ...sheetExtras(parts, part, workbook, place),
    ];
    if (blocks.length > 0) yield { ...place, kind: 'heading', text: title, level: 1 };
    yield* blocks;
    onProgress({ done: index + 1, total: sheets.length, unit: 'sheets' });
  }
};
