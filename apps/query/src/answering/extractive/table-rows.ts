/** A table row that was formatted as text. */
export interface FormattedRow {
  readonly text: string;
  /** The first value of the row. */
  readonly subject: string;
}

const RULE = /^[\s|:-]*$/;
const CELL_SEPARATOR = /(?<!\\)\|/;
const NUMBER = /^[-+(]*\s?\p{Sc}?\s?\(?\s?\d[\d\s.,']*\s?[%\p{Sc}]?\s?\)?$/u;

/**
 * Formats the rows of a Markdown table. Each value follows its column header: `Name: Lamp; Price: 4.50 €`. The header
 * row is left out. If the table has no header, the values are only joined.
 *
 * @param lines the rows with their markup; rows that continue the table of the previous passage have no header
 */
export function formatTableRows(lines: readonly string[]): FormattedRow[] {
  const isRule = lines.map((line) => RULE.test(line));
  const rows = lines.filter((_, at) => isRule[at] === false).map(splitCells);
  const [first = [], second = []] = rows;
  const hasHeader = isRule[1] === true || isTableHeader(first, second);
  if (!hasHeader || rows.length === 1) return rows.map((cells) => formatCells(cells, []));
  return rows.slice(1).map((cells) => formatCells(cells, first));
}

function splitCells(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(CELL_SEPARATOR);
  return cells.map((cell) => cell.replaceAll('\\|', '|').replace(/\s+/g, ' ').trim());
}

/**
 * Returns whether the first row of a table without a separator row is its header. A header has no numbers, and the row
 * below it has some.
 */
function isTableHeader(first: readonly string[], second: readonly string[]): boolean {
  const hasSameWidth = first.length > 1 && first.length === second.length;
  return hasSameWidth && !first.some((cell) => NUMBER.test(cell)) && second.some((cell) => NUMBER.test(cell));
}

function formatCells(cells: readonly string[], header: readonly string[]): FormattedRow {
  const values = cells.map((cell, at) => formatCellValue(header[at] ?? '', cell)).filter((value) => value !== '');
  const isNamed = header.some((name) => name !== '');
  return { text: values.join(isNamed ? '; ' : ' | '), subject: cells.find((cell) => cell !== '') ?? '' };
}

function formatCellValue(name: string, value: string): string {
  return name === '' || value === '' || name === value ? value : `${name.replace(/:$/, '')}: ${value}`;
}
