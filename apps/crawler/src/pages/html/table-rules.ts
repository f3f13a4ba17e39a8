import type TurndownService from 'turndown';
import { tableMarkdown, type Cell } from './table-markdown.js';

/**
 * turndown hands a table its cells as one text. These characters, which Unicode keeps out of all text, mark where each begins.
 */
const ROW = '\uFDD0';
const CELL = '\uFDD1';
const SPAN = '\uFDD2';
const MARKS = /[\uFDD0-\uFDD2]/g;

/** A table of data becomes a table of GFM. One that lays the page out becomes what its cells hold. */
export function addTableRules(service: TurndownService): void {
  const layouts = new WeakMap<Node, boolean>();
  const isLayout = (node: Element): boolean => {
    const table = node.closest('table');
    if (table === null) return true;
    const known = layouts.get(table) ?? laysOut(table);
    layouts.set(table, known);
    return known;
  };
  service.addRule('table cell', {
    filter: ['td', 'th'],
    replacement: (content, node) =>
      isLayout(node) ? `\n\n${content}\n\n` : CELL + describe(node) + SPAN + inLine(content),
  });
  service.addRule('table row', {
    filter: 'tr',
    replacement: (content, node) => (isLayout(node) ? `\n\n${content}\n\n` : ROW + content),
  });
  service.addRule('table section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table caption', {
    filter: 'caption',
    replacement: (content) => (content.trim() === '' ? '' : `${content.replace(/\s+/g, ' ').trim()}\n\n`),
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => (isLayout(node) ? `\n\n${content}\n\n` : `\n\n${dataTable(content)}\n\n`),
  });
}

/** Tables within it, headings, or a single cell: nobody reads that as rows and columns. */
function laysOut(table: Element): boolean {
  if (table.getAttribute('role') === 'presentation') return true;
  if (table.querySelector('table, h1, h2, h3, pre') !== null) return true;
  return table.querySelectorAll('td, th').length < 2;
}

function describe(node: Element): string {
  return [span(node, 'colspan'), span(node, 'rowspan'), node.nodeName === 'TH' ? 1 : 0].join(',');
}

function span(node: Element, name: string): number {
  const number = Number.parseInt(node.getAttribute(name) ?? '1', 10);
  return number >= 1 ? number : 1;
}

function inLine(content: string): string {
  return content
    .replace(MARKS, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\\)\|/g, '\\|');
}

function dataTable(content: string): string {
  const [caption = '', ...rows] = content.split(ROW);
  const table = tableMarkdown(rows.map(cellsOf).filter((row) => row.length > 0));
  return `${caption.trim()}\n\n${table}`.trim();
}

function cellsOf(row: string): readonly Cell[] {
  return row
    .split(CELL)
    .slice(1)
    .map((cell) => {
      const [described = '', text = ''] = cell.split(SPAN);
      const [columns = 1, rows = 1, isHeader = 0] = described.split(',').map(Number);
      return { text: text.trim(), columns, rows, isHeader: isHeader === 1 };
    });
}
