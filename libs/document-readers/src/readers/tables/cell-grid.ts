interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** A cell cannot span more than this: an attribute is no reason to fill the memory. */
const MAX_SPAN = 100;

/** The cells of a table as they come, and the grid they make up. */
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
    this.#rows.at(-1)?.push({ text, columns: spanOf(span.columns), rows: spanOf(span.rows) });
    if (!isHeader) this.#isHeader[this.#isHeader.length - 1] = false;
  }

  /** Whether the table itself says that its first row names the columns. */
  get firstRowIsHeader(): boolean {
    return this.#isHeader[0] === true && this.#isHeader.length > 1;
  }

  /** A cell that spans others stands in each of their places: so every row can be read by itself. */
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

function spanOf(value: string | undefined): number {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_SPAN) : 1;
}
