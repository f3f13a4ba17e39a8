interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** Maximum number of rows or columns that a cell spans, so that a `rowspan` or `colspan` cannot exhaust the memory. */
const MAX_SPAN = 100;

/** Collects the cells of a table and arranges them in a grid. */
export class CellGrid {
  readonly #rows: Cell[][] = [];
  #isHeader: boolean[] = [];

  startRow(): void {
    this.#rows.push([]);
    this.#isHeader.push(true);
  }

  addCell(
    text: string,
    span: { readonly columns: string | undefined; readonly rows: string | undefined },
    isHeader: boolean,
  ): void {
    if (this.#rows.length === 0) this.startRow();
    this.#rows.at(-1)?.push({ text, columns: parseSpan(span.columns), rows: parseSpan(span.rows) });
    if (!isHeader) this.#isHeader[this.#isHeader.length - 1] = false;
  }

  /** Returns whether all cells of the first row are marked as header cells, and the table has further rows. */
  get isFirstRowHeader(): boolean {
    return this.#isHeader[0] === true && this.#isHeader.length > 1;
  }

  /**
   * Returns the rows of cells. Each row is complete: a cell that spans several positions is repeated in each of them.
   */
  get grid(): readonly (readonly string[])[] {
    const grid = this.#rows.map((): string[] => []);
    for (const [index, cells] of this.#rows.entries()) {
      let column = 0;
      for (const cell of cells) {
        while (grid[index]?.[column] !== undefined) column += 1;
        for (const row of grid.slice(index, index + cell.rows)) {
          for (let offset = 0; offset < cell.columns; offset += 1) row[column + offset] = cell.text;
        }
        column += cell.columns;
      }
    }
    const width = Math.max(0, ...grid.map((row) => row.length));
    return grid.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''));
  }
}

function parseSpan(value: string | undefined): number {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_SPAN) : 1;
}
