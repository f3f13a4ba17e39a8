import type { ReadVariation } from '@quarry/item-listing';
import { toPlainText } from './to-plain-text.js';
import { formatAmount, formatCustomValue, formatFieldName, formatStockStatus } from './format-values.js';

interface Column {
  readonly title: string;
  readonly cell: (variation: ReadVariation) => string;
}

/** Builds a Markdown table with one row per variation and one column per field that at least one variation has. */
export function buildVariationsTable(variations: readonly ReadVariation[], currency: string | undefined): string {
  const columns = [...buildContractColumns(currency), ...buildCustomColumns(variations)]
    .map(({ title, cell }) => ({ title, cells: variations.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (columns.length === 0) return '';
  return [
    formatRow(columns.map(({ title }) => title)),
    formatRow(columns.map(() => '---')),
    ...variations.map((_, at) => formatRow(columns.map(({ cells }) => cells[at] ?? ''))),
  ].join('\n');
}

function buildContractColumns(currency: string | undefined): readonly Column[] {
  const formatPrice = (value: number | null | undefined): string =>
    typeof value === 'number' ? formatAmount(value, currency) : '';
  return [
    { title: 'Variation', cell: ({ fields }) => toPlainText(fields.title ?? '') },
    { title: 'Price', cell: ({ fields }) => formatPrice(fields.price) },
    { title: 'Regular price', cell: ({ fields }) => formatPrice(fields.regular_price) },
    { title: 'Sale price', cell: ({ fields }) => formatPrice(fields.sale_price) },
    { title: 'Availability', cell: ({ fields }) => formatStockStatus(fields.stock_status ?? '') },
    { title: 'Pieces in stock', cell: ({ fields }) => formatCustomValue(fields.stock) },
    { title: 'Id', cell: ({ fields }) => formatCustomValue(fields.id) },
  ];
}

function buildCustomColumns(variations: readonly ReadVariation[]): readonly Column[] {
  const names = new Set(variations.flatMap(({ custom }) => custom.map(([name]) => name)));
  return [...names].map((name) => ({
    title: formatFieldName(name),
    cell: ({ custom }) => formatCustomValue(custom.find(([found]) => found === name)?.[1]),
  }));
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

/** Matches a pipe, and white space other than a single space. */
const NEEDS_ESCAPE = /\||[^\S ]| {2}/;

/** Escapes pipes inside a cell (GitHub Flavored Markdown, section 4.10). */
function escapeCell(cell: string): string {
  if (!NEEDS_ESCAPE.test(cell)) return cell;
  return cell.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
