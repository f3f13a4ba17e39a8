import type { ReadItem } from '@quarry/item-listing';
import { toPlainText } from './to-plain-text.js';
import { buildVariationsTable } from './build-variations-table.js';
import { formatAmount, formatCustomValue, formatFieldName, formatStockStatus } from './format-values.js';

/**
 * Identifies the version of the conversion from items to documents. Increase it when the same item becomes another document, so
 * that every item is indexed again.
 */
export const DOCUMENT_FORMAT = 2;

/** Holds a listing item converted to a Markdown document. */
export interface ItemDocument {
  readonly name: string;
  readonly markdown: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The address of the item's web page, if the item has one. */
  readonly source: string | undefined;
}

export function createItemDocument(item: ReadItem): ItemDocument {
  const name = getDocumentName(item);
  const source = findWebAddress(item);
  return { name, markdown: buildMarkdown(name, item, source), metadata: buildMetadata(item), source };
}

/** Returns the title of the item, or its id when the title contains no text. */
export function getDocumentName({ fields }: ReadItem): string {
  return toPlainText(fields.title) || String(fields.id);
}

function buildMarkdown(name: string, item: ReadItem, source: string | undefined): string {
  const currency = item.fields.currency ?? undefined;
  const table = buildVariationsTable(item.variations, currency);
  const parts = [
    `# ${name.replace(/\s+/g, ' ')}`,
    toPlainText(item.fields.description ?? ''),
    formatOffer(item, currency).join('\n'),
    formatCustomFields(item, source).join('\n'),
    table === '' ? '' : `## Variations\n\n${table}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function formatOffer({ fields }: ReadItem, currency: string | undefined): readonly string[] {
  const amounts = [
    ['Price', fields.price],
    ['Regular price', fields.regular_price],
    ['Sale price', fields.sale_price],
  ] as const;
  const lines = amounts.flatMap(([label, amount]) =>
    typeof amount === 'number' ? [`- ${label}: ${formatAmount(amount, currency)}`] : [],
  );
  return hasText(fields.stock_status) ? [...lines, `- Availability: ${formatStockStatus(fields.stock_status)}`] : lines;
}

function formatCustomFields({ custom }: ReadItem, source: string | undefined): readonly string[] {
  return custom
    .map(([name, value]) => [name, formatCustomValue(value)] as const)
    .filter(([, value]) => value !== '' && value !== source)
    .map(([name, value]) => `- ${formatFieldName(name)}: ${value}`);
}

/**
 * Collects the metadata that searches can filter by, such as the price. An item without a price of its own gets the lowest
 * price of its variations.
 */
function buildMetadata({ fields, variations }: ReadItem): Readonly<Record<string, unknown>> {
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

function hasText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
