/** A cell as it came out of its `td`, with what it spans. */
export interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly isHeader: boolean;
}

/** Spans and widths that no reader would draw are somebody's attack. */
const MAX_COLUMNS = 100;
const MAX_ROW_SPAN = 1_000;

/**
 * A table in GFM. A cell that spans several places is written in each, so that every row can be read by itself. A table
 * without header cells gets an empty header, which GFM cannot do without.
 */
export function tableMarkdown(rows: readonly (readonly Cell[])[]): string {
  const grid = gridOf(rows);
  const width = Math.max(0, ...grid.map((row) => row.length));
  if (width === 0) return '';
  const hasHeader = rows[0]?.every((cell) => cell.isHeader) === true;
  const [header = [], ...body] = hasHeader ? grid : [[], ...grid];
  const lines = [
    line(header, width),
    line(Array<string>(width).fill('---'), width),
    ...body.map((row) => line(row, width)),
  ];
  return lines.join('\n');
}

function line(cells: readonly (string | undefined)[], width: number): string {
  const texts = Array.from({ length: width }, (_, column) => cells[column] ?? '');
  return `| ${texts.join(' | ')} |`;
}

/** Puts each cell where it is drawn: to the right of those that reach down into its row. */
function gridOf(rows: readonly (readonly Cell[])[]): (string | undefined)[][] {
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
