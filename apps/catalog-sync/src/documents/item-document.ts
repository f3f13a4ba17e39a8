import type { ReadItem } from '@quarry/item-listing';
import { customName, customValue } from './custom-value.js';
import { descriptionText } from './description-text.js';
import { money } from './money.js';
import { stockInWords } from './stock-in-words.js';
import { variationsTable } from './variations-table.js';

/** Changes when the same item becomes another document, so that every item is handed over again. */
export const DOCUMENT_FORM = 2;

/** An item as ingestion takes it. */
export interface ItemDocument {
  readonly name: string;
  readonly markdown: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** A page that a shopper can open, where the item names one. */
  readonly source: string | undefined;
}

export function itemDocument(item: ReadItem): ItemDocument {
  const name = documentName(item);
  const source = sourceOf(item);
  return { name, markdown: markdownOf(name, item, source), metadata: metadataOf(item), source };
}

/** Its title; the id of one whose title says nothing. */
export function documentName({ fields }: ReadItem): string {
  return descriptionText(fields.title) || String(fields.id);
}

function markdownOf(name: string, item: ReadItem, source: string | undefined): string {
  const currency = item.fields.currency ?? undefined;
  const table = variationsTable(item.variations, currency);
  const parts = [
    `# ${name.replace(/\s+/g, ' ')}`,
    descriptionText(item.fields.description ?? ''),
    offer(item, currency).join('\n'),
    ownFields(item, source).join('\n'),
    table === '' ? '' : `## Variations\n\n${table}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function offer({ fields }: ReadItem, currency: string | undefined): readonly string[] {
  const amounts = [
    ['Price', fields.price],
    ['Regular price', fields.regular_price],
    ['Sale price', fields.sale_price],
  ] as const;
  const lines = amounts.flatMap(([label, amount]) =>
    typeof amount === 'number' ? [`- ${label}: ${money(amount, currency)}`] : [],
  );
  return isSaid(fields.stock_status) ? [...lines, `- Availability: ${stockInWords(fields.stock_status)}`] : lines;
}

function ownFields({ custom }: ReadItem, source: string | undefined): readonly string[] {
  return custom
    .map(([name, value]) => [name, customValue(value)] as const)
    .filter(([, value]) => value !== '' && value !== source)
    .map(([name, value]) => `- ${customName(name)}: ${value}`);
}

/** Searches are narrowed by `price` and `stock_status`: an item that has only variations costs what the cheapest of them does. */
function metadataOf({ fields, variations }: ReadItem): Readonly<Record<string, unknown>> {
  const { id, date_modified, regular_price, sale_price, currency, stock_status } = fields;
  const cheapest = variations.reduce((least, { fields: { price } }) => Math.min(least, price ?? Infinity), Infinity);
  const price = fields.price ?? (cheapest === Infinity ? undefined : cheapest);
  const all = { id: String(id), date_modified, price, regular_price, sale_price, currency, stock_status };
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(all)) if (value !== null && value !== undefined) said[name] = value;
  return said;
}

/** `url` or `permalink`, when it is an address that a browser opens. */
function sourceOf({ custom }: ReadItem): string | undefined {
  const named = ['url', 'permalink'].map((name) => custom.find(([found]) => found === name)?.[1]);
  return named.find((value): value is string => typeof value === 'string' && isWebAddress(value));
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}

function isSaid(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
