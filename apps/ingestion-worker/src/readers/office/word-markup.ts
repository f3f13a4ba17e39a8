import { chartTable } from './chart.js';
import type { PackageParts } from './package-parts.js';

/** @param id by which the document knows the chart @returns WordprocessingML of its title and its values; empty when it has none */
export function chartMarkup(parts: PackageParts, document: string, id: string): string {
  const chart = parts.read(parts.relatedTo(document).get(id)?.name ?? '');
  if (chart === undefined) return '';
  const { title, rows } = chartTable(chart);
  const cells = (row: readonly string[]): string => row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('');
  const header = '<w:trPr><w:tblHeader/></w:trPr>';
  const table = rows.map((row, index) => `<w:tr>${index === 0 ? header : ''}${cells(row)}</w:tr>`).join('');
  return `${paragraph(title)}${table === '' ? '' : `<w:tbl>${table}</w:tbl>`}`;
}

function paragraph(text: string): string {
  return `<w:p>${run(text)}</w:p>`;
}

/** WordprocessingML of a text. */
export function run(text: string): string {
  return `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
