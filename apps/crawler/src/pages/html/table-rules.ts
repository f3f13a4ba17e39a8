import type TurndownService from 'turndown';

/**
 * Marks the start of a table row, because turndown passes the converted cells of a table as one text. Unicode reserves these
 * characters, so no text contains them.
 */
const ROW = '\uFDD0';
const CELL = '\uFDD1';
const SPAN = '\uFDD2';
const MARKS = /[\uFDD0-\uFDD2]/g;

/** Adds rules to turndown that convert data tables to Markdown tables, and layout tables to the contents of their cells. */
export function addTableRules(service: TurndownService): void {
  const layouts = new WeakMap<Node, boolean>();
  const isInLayoutTable = (node: Element): boolean => {
    const table = node.closest('table');
    if (table === null) return true;
    const known = layouts.get(table) ?? isLayoutTable(table);
    layouts.set(table, known);
    return known;
  };
  service.addRule('table cell', {
    filter: ['td', 'th'],
    replacement: (content, node) =>
      isInLayoutTable(node) ? `\n\n${content}\n\n` : CELL + describeSpans(node) + SPAN + toSingleLine(content),
  });
  service.addRule('table row', {
    filter: 'tr',
    replacement: (content, node) => (isInLayoutTable(node) ? `\n\n${content}\n\n` : ROW + content),
  });
  service.addRule('table section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table caption', {
    filter: 'caption',
    replacement: (content) => (content.trim() === '' ? '' : `${content.replace(/\s+/g, ' ').trim()}\n\n`),
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) =>
      isInLayoutTable(node) ? `\n\n${content}\n\n` : `\n\n${formatDataTable(content)}\n\n`,
  });
}

/** Returns whether a table is used for layout: it contains tables, headings or code, or has a single cell. */
function isLayoutTable(table: Element): boolean {
  if (table.getAttribute('role') === 'presentation') return true;
  if (table.querySelector('table, h1, h2, h3, pre') !== null) return true;
  return table.querySelectorAll('td, th').length < 2;
}

function describeSpans(node: Element): string {
  return [readSpan(node, 'colspan'), readSpan(node, 'rowspan'), node.nodeName === 'TH' ? 1 : 0].join(',');
}

function readSpan(node: Element, name: string): number {
  const number = Number.parseInt(node.getAttribute(name) ?? '1', 10);
  return number >= 1 ? number : 1;
}

function toSingleLine(content: string): string {
  return content
    .replace(MARKS, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\\)\|/g, '\\|');
}

function formatDataTable(content: string): string {
  const [caption = '', ...rows] = content.split(ROW);
  const table = formatTable(rows.map(parseCells).filter((row) => row.length > 0));
  return `${caption.trim()}\n\n${table}`.trim();
}

function parseCells(row: string): readonly Cell[] {
  return row
    .split(CELL)
    .slice(1)
    .map((cell) => {
      const [spans = '', text = ''] = cell.split(SPAN);
      const [columns = 1, rows = 1, isHeader = 0] = spans.split(',').map(Number);
      return { text: text.trim(), columns, rows, isHeader: isHeader === 1 };
    });
}

/** Holds the text of a table cell, and the numbers of columns and rows that it spans. */
interface Cell {
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
function formatTable(rows: readonly (readonly Cell[])[]): string {
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
