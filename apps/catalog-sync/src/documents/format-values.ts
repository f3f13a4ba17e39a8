import { toPlainText } from './to-plain-text.js';

const STOCK_STATUSES: ReadonlyMap<string, string> = new Map([
  ['instock', 'In stock'],
  ['outofstock', 'Out of stock'],
  ['onbackorder', 'Available on backorder'],
]);

/** Formats an amount of money: `19.90 EUR`, `20 EUR`, `0.0005 BTC`. Omits the currency if it is undefined. */
export function formatAmount(amount: number, currency: string | undefined): string {
  const decimals = String(amount).split('.')[1]?.length;
  const digits = decimals === 1 ? amount.toFixed(2) : String(amount);
  return currency === undefined || currency === '' ? digits : `${digits} ${currency}`;
}

/** Formats a stock status for readers. Returns a status that the contract does not list unchanged. */
export function formatStockStatus(status: string): string {
  return STOCK_STATUSES.get(status.toLowerCase().replace(/[\s_-]/g, '')) ?? status;
}

/** Formats the value of a custom field on one line. Returns '' when the value is empty. */
export function formatCustomValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return toPlainText(value).replace(/\s+/g, ' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return joinNonEmpty(value.map(formatCustomValue), ', ');
  return joinNonEmpty(
    Object.entries(value).map(([name, inner]) => formatNamedValue(name, formatCustomValue(inner))),
    '; ',
  );
}

/** Formats the name of a custom field for readers: `care_instructions` becomes `Care instructions`. */
export function formatFieldName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function formatNamedValue(name: string, value: string): string {
  return value === '' ? '' : `${formatFieldName(name)}: ${value}`;
}

function joinNonEmpty(values: readonly string[], separator: string): string {
  return values.filter((value) => value !== '').join(separator);
}
