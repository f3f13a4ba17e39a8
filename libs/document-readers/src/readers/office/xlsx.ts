import type { Reader } from '../reader.js';
import { createTitledTableBlocks } from '../tables/titled-table.js';
import { createCellFormatter } from './cell-formatter.js';
import { openPackage } from './package-parts.js';
import { readSheetCells } from './sheet-cells.js';
import { readSheetDrawingsAndComments } from './sheet-extras.js';
import { findSheetRegions } from './sheet-regions.js';
import { readWorkbook } from './workbook.js';

/** Markup of a sheet without cells, used for a sheet whose part is missing. */
const NO_CELLS = '<worksheet/>';

/**
 * Reads the tables of each sheet with their titles, and the charts and comments of the sheet. Appends `(hidden)` to the
 * titles of hidden sheets.
 */
// eslint-disable-next-line @typescript-eslint/require-await -- the type Reader requires it
export const readXlsx: Reader = async function* (bytes, reports) {
  const parts = openPackage(bytes);
  const { workbook, sheets, from1904 } = readWorkbook(parts);
  const formatCell = createCellFormatter(parts, workbook, from1904);
  for (const [index, { name, part, isHidden }] of sheets.entries()) {
    const rows = readSheetCells(parts.getText(part) ?? NO_CELLS, formatCell);
    const title = isHidden ? `${name} (hidden)` : name;
    const position = { headingPath: [title], page: null, location: `sheet ${title}` };
    const blocks = [
      ...findSheetRegions(rows).flatMap((region) => [
        ...createTitledTableBlocks(position, region.rows, region.firstRow),
      ]),
      ...readSheetDrawingsAndComments(parts, part, workbook, position),
    ];
    if (blocks.length > 0) yield { ...position, kind: 'heading', text: title, level: 1 };
    yield* blocks;
    reports.onProgress({ done: index + 1, total: sheets.length, unit: 'sheets' });
  }
};
