import { readChart } from './chart.js';
import { readDiagram } from './diagram.js';
import { getRelationshipId, type PackageParts } from './package-parts.js';

/**
 * Builds WordprocessingML for the title and values of a chart, or for the texts of a diagram. Returns '' if the package
 * does not contain the chart, or if the diagram has no texts.
 *
 * @param name name of the referencing element: `c:chart` or `dgm:relIds`
 */
export function buildDrawingMarkup(
  parts: PackageParts,
  document: string,
  name: string,
  attributes: Readonly<Record<string, string>>,
): string {
  if (name === 'c:chart') return buildChartMarkup(parts, document, getRelationshipId(attributes));
  const boxes = readDiagram(parts, document, attributes['r:dm'] ?? '');
  return boxes.map(({ text }) => buildParagraphMarkup(text)).join('');
}

function buildChartMarkup(parts: PackageParts, document: string, id: string): string {
  const chart = parts.readXml(parts.getRelatedParts(document).get(id)?.name ?? '');
  if (chart === undefined) return '';
  const { title, rows } = readChart(chart);
  const createCells = (row: readonly string[]): string =>
    row.map((cell) => `<w:tc>${buildParagraphMarkup(cell)}</w:tc>`).join('');
  const header = '<w:trPr><w:tblHeader/></w:trPr>';
  const table = rows.map((row, index) => `<w:tr>${index === 0 ? header : ''}${createCells(row)}</w:tr>`).join('');
  return `${buildParagraphMarkup(title)}${table === '' ? '' : `<w:tbl>${table}</w:tbl>`}`;
}

export function buildParagraphMarkup(text: string): string {
  return `<w:p>${buildRunMarkup(text)}</w:p>`;
}

/** Builds a WordprocessingML run (`w:r`) that contains a text. */
export function buildRunMarkup(text: string): string {
  return `<w:r>${buildTextMarkup(text)}</w:r>`;
}

/** Builds the text (`w:t`) of a WordprocessingML run. */
export function buildTextMarkup(text: string): string {
  return `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
