import express, { type Express } from 'express';

/** What every item has. Any other field is welcome: prices, stock, variations, and whatever else a shopper asks about. */
export interface Item {
  /** Of its own, and the same for ever. */
  readonly id: string | number;
  readonly title: string;
  /** UTC with milliseconds: `new Date().toISOString()`. It changes whenever anything of the item does. */
  readonly date_modified: string;
  readonly [field: string]: unknown;
}

interface ListingQuery {
  readonly take: number;
  readonly skip: number;
  readonly descending: boolean;
  readonly orderBy: readonly string[];
  readonly modifiedAfter: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const MOST_ITEMS = 1_000;

/**
 * `GET /items?take=&skip=&order=&order_by=&modified_after=` → `{ total_count, items }`.
 *
 * @param items asked at each request, so that a request sees the shop as it is then
 * @param apiKey what a caller has to send as `X-API-Key`; absent: nothing
 */
export function listingApp(items: () => readonly Item[], apiKey?: string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/items', (request, response) => {
    if (apiKey !== undefined && request.get('x-api-key') !== apiKey) {
      response.status(401).json({ error: 'expected the right X-API-Key' });
      return;
    }
    const query = readQuery(request.query);
    if (typeof query === 'string') {
      response.status(400).json({ error: query });
      return;
    }
    // Dates of this form sort as text. Strictly greater: an item of the very date is left out.
    const matching = items().filter((item) => item.date_modified > query.modifiedAfter);
    matching.sort((a, b) => compare(a, b, query));
    response.json({
      total_count: matching.length,
      items: matching.slice(query.skip, query.skip + query.take),
    });
  });
  return app;
}

/** @returns what is wrong, as text, when something is */
function readQuery(given: Readonly<Record<string, unknown>>): ListingQuery | string {
  const take = given['take'] === undefined ? 100 : Number(given['take']);
  const skip = given['skip'] === undefined ? 0 : Number(given['skip']);
  const order = given['order'] ?? 'ASC';
  const orderBy = given['order_by'] ?? 'date_modified,id';
  const modifiedAfter = given['modified_after'] ?? '';
  if (!Number.isInteger(take) || take < 1) return 'take: expected a whole number of at least 1';
  if (!Number.isInteger(skip) || skip < 0) return 'skip: expected a whole number of at least 0';
  if (order !== 'ASC' && order !== 'DESC') return 'order: expected ASC or DESC';
  if (typeof orderBy !== 'string') return 'order_by: expected the names of fields, with commas between';
  if (typeof modifiedAfter !== 'string' || (modifiedAfter !== '' && !DATE.test(modifiedAfter))) {
    return 'modified_after: expected a date such as 2026-01-31T23:59:59.999Z';
  }
  return {
    take: Math.min(take, MOST_ITEMS),
    skip,
    descending: order === 'DESC',
    orderBy: orderBy.split(','),
    modifiedAfter,
  };
}

/** The id is always the last word, so that pages neither overlap nor leave gaps among items of the same date. */
function compare(a: Item, b: Item, { orderBy, descending }: ListingQuery): number {
  for (const field of [...orderBy, 'id']) {
    const [left, right] = [valueOf(a, field), valueOf(b, field)];
    if (left !== right) return left < right !== descending ? -1 : 1;
  }
  return 0;
}

function valueOf(item: Item, field: string): string | number {
  const found = item[field];
  return typeof found === 'number' || typeof found === 'string' ? found : '';
}
