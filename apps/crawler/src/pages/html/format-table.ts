/** Holds the text of a table cell, and the numbers of columns and rows that it spans. */
export interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly isHeader: boolean;
}

/** Maximum number of columns, because a page can declare excessive spans. */
const MAX_COLUMNS = 100;
const MAX_ROW_SPAN = 1_000;

/**
 * Formats a table in GitHub Flavored Markdown. A cell that spans columns or rows is repeated, so that each row is complete. A
 * table without header cells gets an empty header, which GFM requires.
 */
export function formatTable(rows: readonly (readonly Cell[])[]): string {
  const grid = buildGrid(rows);
  const width = Math.max(0, ...grid.map((row) => row.length));
  if (width === 0) return '';
  const hasHeader = rows[0]?.every((cell) => cell.isHeader) === true;
  const [header = [], ...body] = hasHeader ? grid : [[], ...grid];
  const lines = [
    formatRow(header, width),
    formatRow(Array<string>(width).fill('---'), width),
    ...body.map((row) => formatRow(row, width)),
  ];
  return lines.join('\n');
}

function formatRow(cells: readonly (string | undefined)[], width: number): string {
  const texts = Array.from({ length: width }, (_, column) => cells[column] ?? '');
  return `| ${texts.join(' | ')} |`;
}

/** Builds the rows and columns of a table. Places each cell to the right of cells that span its row from above. */
function buildGrid(rows: readonly (readonly Cell[])[]): (string | undefined)[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  rows.forEach((cells, top) => {
    let left = 0;
    for (const cell of cells) {
      const first = grid[top] ?? [];
      while (left < first.length && first[left] !== undefined) left += 1;
      const right = Math.min(left + cell.columns, MAX_COLUMNS);
      const bottom = Math.min(top + Math.min(cell.rows, MAX_ROW_SPAN), grid.length);
      for (const row of grid.slice(top, bottom)) for (let at = left; at < right; at += 1) row[at] = cell.text;
      left = right;
    }
  });
  return grid;
}
