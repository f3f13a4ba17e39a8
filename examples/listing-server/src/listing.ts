import express, { type Express } from 'express';

/**
 * Describes the required fields of an item. Other fields are optional: prices, stock, variations, and any
 * information for shoppers.
 */
export interface Item {
  /** Identifies the item. It is unique and never changes. */
  readonly id: string | number;
  readonly title: string;
  /**
   * Time of the last change in UTC with milliseconds: `new Date().toISOString()`. Update it whenever any field of the
   * item changes.
   */
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
const MAX_ITEMS = 1_000;

/**
 * Serves `GET /items?take=&skip=&order=&order_by=&modified_after=` with `{ total_count, items }`.
 *
 * @param items returns the current items; called for each request
 * @param apiKey the required value of the header `X-API-Key`; absent: no key is required
 */
export function createExampleListing(items: () => readonly Item[], apiKey?: string): Express {
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
    // Dates of this form sort as text. The comparison is strict: items at exactly that date are excluded.
    const matching = items().filter((item) => item.date_modified > query.modifiedAfter);
    matching.sort((a, b) => compareItems(a, b, query));
    response.json({
      total_count: matching.length,
      items: matching.slice(query.skip, query.skip + query.take),
    });
  });
  return app;
}

/** Parses the query parameters. @returns the query, or an error message */
function readQuery(parameters: Readonly<Record<string, unknown>>): ListingQuery | string {
  const take = parameters['take'] === undefined ? 100 : Number(parameters['take']);
  const skip = parameters['skip'] === undefined ? 0 : Number(parameters['skip']);
  const order = parameters['order'] ?? 'ASC';
  const orderBy = parameters['order_by'] ?? 'date_modified,id';
  const modifiedAfter = parameters['modified_after'] ?? '';
  if (!Number.isInteger(take) || take < 1) return 'take: expected a whole number of at least 1';
  if (!Number.isInteger(skip) || skip < 0) return 'skip: expected a whole number of at least 0';
  if (order !== 'ASC' && order !== 'DESC') return 'order: expected ASC or DESC';
  if (typeof orderBy !== 'string') return 'order_by: expected field names, separated by commas';
  if (typeof modifiedAfter !== 'string' || (modifiedAfter !== '' && !DATE.test(modifiedAfter))) {
    return 'modified_after: expected a date such as 2026-01-31T23:59:59.999Z';
  }
  return {
    take: Math.min(take, MAX_ITEMS),
    skip,
    descending: order === 'DESC',
    orderBy: orderBy.split(','),
    modifiedAfter,
  };
}

/** Compares the requested fields and finally the id, so that pages neither overlap nor have gaps among items of the same date. */
function compareItems(a: Item, b: Item, { orderBy, descending }: ListingQuery): number {
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
