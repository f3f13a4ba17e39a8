import { isRowOfCells } from './line.js';
import type { PageLine } from './line-paragraphs.js';
import { findTableCells } from './table-cells.js';
import { isFirstRowHeader } from './build-table-blocks.js';

/** Maximum number of paragraphs between column headers and the rows below, such as a heading and a section heading. */
const MAX_PARAGRAPHS_BETWEEN = 3;
const MAX_HEADER_LINES = 5;

interface HasLines {
  readonly lines: readonly PageLine[];
}

/**
 * Repeats column headers above each section of a table, because financial statements print the headers only once, above
 * the section headings.
 *
 * @param isTable returns whether a paragraph is a table
 * @param join joins the headers with the rows below them
 * @returns the paragraphs, without the headers that were moved into tables
 */
export function repeatSharedHeaders<P extends HasLines>(
  paragraphs: readonly P[],
  isTable: (paragraph: P) => boolean,
  join: (header: P, rows: P) => P,
): readonly P[] {
  const result: P[] = [];
  let header: { readonly paragraph: P; readonly position: number; isUsed: boolean } | undefined;
  let between = 0;
  for (const paragraph of paragraphs) {
    if (header !== undefined && isTable(paragraph) && isHeaderOfTable(header.paragraph, paragraph)) {
      result.push(join(header.paragraph, paragraph));
      if (!header.isUsed) result.splice(header.position, 1);
      header.isUsed = true;
      between = 0;
      continue;
    }
    between += 1;
    if (paragraph.lines.length <= MAX_HEADER_LINES && paragraph.lines.every(isRowOfCells)) {
      header = { paragraph, position: result.length, isUsed: false };
      between = 0;
    } else if (isTable(paragraph) || between > MAX_PARAGRAPHS_BETWEEN) header = undefined;
    result.push(paragraph);
  }
  return result;
}

/**
 * Returns whether each header line has a cell for every column of the rows except the first column. Returns false if
 * the rows have column headers of their own.
 */
function isHeaderOfTable({ lines: header }: HasLines, { lines: rows }: HasLines): boolean {
  const [headerLine] = header;
  const [row] = rows;
  if (headerLine?.page !== row?.page || (headerLine?.bottom ?? 0) < (row?.top ?? 0)) return false;
  const cells = findTableCells([...header, ...rows]);
  if (cells?.headerRows !== header.length || isFirstRowHeader(cells.rows.slice(header.length))) return false;
  return header.every(({ segments }) => segments.length + 1 === cells.rows[0]?.length);
}
