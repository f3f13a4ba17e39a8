import type { ReadItem, ReadVariation } from '@quarry/item-listing';
import { toPlainText } from './to-plain-text.js';

/**
 * Identifies the version of the conversion from items to documents. Increase it whenever the conversion changes, so
 * that every item is indexed again.
 */
export const DOCUMENT_FORMAT = 2;

/** Holds a listing item converted to a Markdown document. */
export interface ItemDocument {
  readonly name: string;
  readonly markdown: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The address of the item's web page. Undefined if the item has none. */
  readonly source: string | undefined;
}

export function createItemDocument(item: ReadItem): ItemDocument {
  const name = getDocumentName(item);
  const source = findWebAddress(item);
  return { name, markdown: buildItemMarkdown(name, item, source), metadata: buildItemMetadata(item), source };
}

/** Returns the title of the item, or its id when the title contains no text. */
export function getDocumentName({ fields }: ReadItem): string {
  return toPlainText(fields.title) || String(fields.id);
}

function buildItemMarkdown(name: string, item: ReadItem, source: string | undefined): string {
  const currency = item.fields.currency ?? undefined;
  const table = buildVariationsTable(item.variations, currency);
  const parts = [
    `# ${name.replace(/\s+/g, ' ')}`,
    toPlainText(item.fields.description ?? ''),
    formatOfferLines(item, currency).join('\n'),
    formatCustomFields(item, source).join('\n'),
    table === '' ? '' : `## Variations\n\n${table}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function formatOfferLines({ fields }: ReadItem, currency: string | undefined): readonly string[] {
  const amounts = [
    ['Price', fields.price],
    ['Regular price', fields.regular_price],
    ['Sale price', fields.sale_price],
  ] as const;
  const lines = amounts.flatMap(([label, amount]) =>
    typeof amount === 'number' ? [`- ${label}: ${formatAmount(amount, currency)}`] : [],
  );
  return isNonEmptyText(fields.stock_status)
    ? [...lines, `- Availability: ${formatStockStatus(fields.stock_status)}`]
    : lines;
}

function formatCustomFields({ custom }: ReadItem, source: string | undefined): readonly string[] {
  return custom
    .map(([name, value]) => [name, formatCustomValue(value)] as const)
    .filter(([, value]) => value !== '' && value !== source)
    .map(([name, value]) => `- ${formatFieldName(name)}: ${value}`);
}

/**
 * Collects the metadata by which searches can filter, such as the price. An item without a price of its own gets the
 * lowest price of its variations.
 */
function buildItemMetadata({ fields, variations }: ReadItem): Readonly<Record<string, unknown>> {
  const { id, date_modified, regular_price, sale_price, currency, stock_status } = fields;
  const cheapest = variations.reduce((lowest, { fields: { price } }) => Math.min(lowest, price ?? Infinity), Infinity);
  const price = fields.price ?? (cheapest === Infinity ? undefined : cheapest);
  const all = { id: String(id), date_modified, price, regular_price, sale_price, currency, stock_status };
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(all)) if (value !== null && value !== undefined) present[name] = value;
  return present;
}

/** Returns the address of the item's web page: its custom field `url` or `permalink`, if that is a web address. */
function findWebAddress({ custom }: ReadItem): string | undefined {
  const candidates = ['url', 'permalink'].map((name) => custom.find(([found]) => found === name)?.[1]);
  return candidates.find((value): value is string => typeof value === 'string' && isWebAddress(value));
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}

function isNonEmptyText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}

interface Column {
  readonly title: string;
  readonly formatCell: (variation: ReadVariation) => string;
}

/**
 * Builds a Markdown table with one row per variation. A field has a column if at least one variation has a value for
 * it.
 */
function buildVariationsTable(variations: readonly ReadVariation[], currency: string | undefined): string {
  const columns = [...buildListingFieldColumns(currency), ...buildCustomFieldColumns(variations)]
    .map(({ title, formatCell }) => ({ title, cells: variations.map(formatCell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (columns.length === 0) return '';
  return [
    formatTableRow(columns.map(({ title }) => title)),
    formatTableRow(columns.map(() => '---')),
    ...variations.map((_, at) => formatTableRow(columns.map(({ cells }) => cells[at] ?? ''))),
  ].join('\n');
}

/** Builds the columns of the variation fields that the listing contract defines, as opposed to custom fields. */
function buildListingFieldColumns(currency: string | undefined): readonly Column[] {
  const formatPrice = (value: number | null | undefined): string =>
    typeof value === 'number' ? formatAmount(value, currency) : '';
  return [
    { title: 'Variation', formatCell: ({ fields }) => toPlainText(fields.title ?? '') },
    { title: 'Price', formatCell: ({ fields }) => formatPrice(fields.price) },
    { title: 'Regular price', formatCell: ({ fields }) => formatPrice(fields.regular_price) },
    { title: 'Sale price', formatCell: ({ fields }) => formatPrice(fields.sale_price) },
    { title: 'Availability', formatCell: ({ fields }) => formatStockStatus(fields.stock_status ?? '') },
    { title: 'Pieces in stock', formatCell: ({ fields }) => formatCustomValue(fields.stock) },
    { title: 'Id', formatCell: ({ fields }) => formatCustomValue(fields.id) },
  ];
}

function buildCustomFieldColumns(variations: readonly ReadVariation[]): readonly Column[] {
  const names = new Set(variations.flatMap(({ custom }) => custom.map(([name]) => name)));
  return [...names].map((name) => ({
    title: formatFieldName(name),
    formatCell: ({ custom }) => formatCustomValue(custom.find(([found]) => found === name)?.[1]),
  }));
}

function formatTableRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeTableCell).join(' | ')} |`;
}

/** Matches the characters of a table cell that must be replaced: a pipe, or white space other than a single space. */
const NEEDS_ESCAPE = /\||[^\S ]| {2}/;

/** Escapes pipes and collapses white space in a table cell (GitHub Flavored Markdown, section 4.10). */
function escapeTableCell(cell: string): string {
  if (!NEEDS_ESCAPE.test(cell)) return cell;
  return cell.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

const STOCK_STATUSES: ReadonlyMap<string, string> = new Map([
  ['instock', 'In stock'],
  ['outofstock', 'Out of stock'],
  ['onbackorder', 'Available on backorder'],
]);

/** Formats an amount of money: `19.90 EUR`, `20 EUR`, `0.0005 BTC`. Omits an undefined or empty currency. */
export function formatAmount(amount: number, currency: string | undefined): string {
  const decimals = String(amount).split('.')[1]?.length;
  const digits = decimals === 1 ? amount.toFixed(2) : String(amount);
  return currency === undefined || currency === '' ? digits : `${digits} ${currency}`;
}

/**
 * Formats a stock status as English text, such as `In stock`. Returns unchanged a status that the listing contract does
 * not define.
 */
export function formatStockStatus(status: string): string {
  return STOCK_STATUSES.get(status.toLowerCase().replace(/[\s_-]/g, '')) ?? status;
}

/** Formats the value of a custom field on one line. Returns '' when the value is empty. */
function formatCustomValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return toPlainText(value).replace(/\s+/g, ' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return joinNonEmptyTexts(value.map(formatCustomValue), ', ');
  return joinNonEmptyTexts(
    Object.entries(value).map(([name, inner]) => formatNamedValue(name, formatCustomValue(inner))),
    '; ',
  );
}

/** Formats the name of a custom field for readers: `care_instructions` becomes `Care instructions`. */
function formatFieldName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function formatNamedValue(name: string, value: string): string {
  return value === '' ? '' : `${formatFieldName(name)}: ${value}`;
}

function joinNonEmptyTexts(values: readonly string[], separator: string): string {
  return values.filter((value) => value !== '').join(separator);
}
