import type { ReadVariation } from '@quarry/item-listing';
import { customName, customValue } from './custom-value.js';
import { descriptionText } from './description-text.js';
import { money } from './money.js';
import { stockInWords } from './stock-in-words.js';

interface Column {
  readonly title: string;
  readonly cell: (variation: ReadVariation) => string;
}

/** A Markdown table with a row for each variation, and a column for each field that any of them has. */
export function variationsTable(variations: readonly ReadVariation[], currency: string | undefined): string {
  const columns = [...contractColumns(currency), ...customColumns(variations)]
    .map(({ title, cell }) => ({ title, cells: variations.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (columns.length === 0) return '';
  return [
    row(columns.map(({ title }) => title)),
    row(columns.map(() => '---')),
    ...variations.map((_, at) => row(columns.map(({ cells }) => cells[at] ?? ''))),
  ].join('\n');
}

function contractColumns(currency: string | undefined): readonly Column[] {
  const amount = (value: number | null | undefined): string =>
    typeof value === 'number' ? money(value, currency) : '';
  return [
    { title: 'Variation', cell: ({ fields }) => descriptionText(fields.title ?? '') },
    { title: 'Price', cell: ({ fields }) => amount(fields.price) },
    { title: 'Regular price', cell: ({ fields }) => amount(fields.regular_price) },
    { title: 'Sale price', cell: ({ fields }) => amount(fields.sale_price) },
    { title: 'Availability', cell: ({ fields }) => stockInWords(fields.stock_status ?? '') },
    { title: 'Pieces in stock', cell: ({ fields }) => customValue(fields.stock) },
    { title: 'Id', cell: ({ fields }) => customValue(fields.id) },
  ];
}

function customColumns(variations: readonly ReadVariation[]): readonly Column[] {
  const names = new Set(variations.flatMap(({ custom }) => custom.map(([name]) => name)));
  return [...names].map((name) => ({
    title: customName(name),
    cell: ({ custom }) => customValue(custom.find(([found]) => found === name)?.[1]),
  }));
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

/** A pipe, or other white space than a single space. */
const UNFIT = /\||[^\S ]| {2}/;

/** GitHub Flavored Markdown, 4.10: a pipe inside a cell is escaped. */
function escaped(cell: string): string {
  if (!UNFIT.test(cell)) return cell;
  return cell.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
