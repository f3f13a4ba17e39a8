import { chartTable } from './chart.js';
import { diagramParagraphs } from './diagram.js';
import { relationshipId, type PackageParts } from './package-parts.js';

/**
 * WordprocessingML of a chart's title and values, or of a diagram's texts; empty when there are none.
 *
 * @param name of the element that refers to it, `c:chart` or `dgm:relIds`
 */
export function drawnMarkup(
  parts: PackageParts,
  document: string,
  name: string,
  attributes: Readonly<Record<string, string>>,
): string {
  if (name === 'c:chart') return chartMarkup(parts, document, relationshipId(attributes));
  const boxes = diagramParagraphs(parts, document, attributes['r:dm'] ?? '');
  return boxes.map(({ text }) => wordParagraph(text)).join('');
}

function chartMarkup(parts: PackageParts, document: string, id: string): string {
  const chart = parts.read(parts.relatedTo(document).get(id)?.name ?? '');
  if (chart === undefined) return '';
  const { title, rows } = chartTable(chart);
  const cells = (row: readonly string[]): string => row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('');
  const header = '<w:trPr><w:tblHeader/></w:trPr>';
  const table = rows.map((row, index) => `<w:tr>${index === 0 ? header : ''}${cells(row)}</w:tr>`).join('');
  return `${wordParagraph(title)}${table === '' ? '' : `<w:tbl>${table}</w:tbl>`}`;
}

export function wordParagraph(text: string): string {
  return `<w:p>${run(text)}</w:p>`;
}

/** WordprocessingML of a text. */
export function run(text: string): string {
  return `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
