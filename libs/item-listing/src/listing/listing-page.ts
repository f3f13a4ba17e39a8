import { ListingBroken } from './listing-failure.js';

/** One response of a listing. */
export interface ListingPage {
  /** As the listing says; whether it counts all items or those that match is up to it. */
  readonly totalCount: number;
  /** Each may be anything. */
  readonly items: readonly unknown[];
  /** The request that was answered, for people. */
  readonly request: string;
  /** The listing's clock at the end of the second in which it answered, in the form of an item's date. Absent: unknown. */
  readonly answeredAt?: string;
}

/** @throws ListingBroken when the body is not `{ total_count: number, items: [...] }` */
export function listingPage(body: string, request: string): ListingPage {
  const value = fromJson(body, request);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ListingBroken(
      'listing_no_items',
      `expected an object with total_count and items, found ${begin(body)} (${request})`,
    );
  }
  if (!('items' in value) || !Array.isArray(value.items)) {
    throw new ListingBroken('listing_no_items', `expected an array items, found ${field(value, 'items')} (${request})`);
  }
  if (!('total_count' in value) || !isCount(value.total_count)) {
    const found = field(value, 'total_count');
    throw new ListingBroken('listing_no_total_count', `expected a number total_count, found ${found} (${request})`);
  }
  return { totalCount: value.total_count, items: value.items, request };
}

function fromJson(body: string, request: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new ListingBroken('listing_not_json', `expected JSON, found ${begin(body)} (${request})`, { cause });
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function field(value: object, name: string): string {
  const found = Object.entries(value).find(([key]) => key === name);
  return found === undefined
    ? `none among ${Object.keys(value).slice(0, 10).join(', ') || 'no fields'}`
    : begin(JSON.stringify(found[1]));
}

const SHOWN = 80;

/** The begin of a text, on one line. */
export function begin(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
