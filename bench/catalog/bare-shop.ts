import type { RequestListener } from 'node:http';
import type { Product } from '@quarry/example-listing-server/products';
import { serveChangingListing } from './serve-changing-listing.js';

/**
 * Program `node bare-shop.js <products>`: serves a listing of this number of products with minimal work per request. It
 * sorts and serialises the products before the first request.
 */

interface Row {
  readonly modified: string;
  readonly json: string;
}

serveChangingListing(createPreparedListing, Number(process.argv[2]));

/** Creates a listing server that sorts and serialises the products before its first request. */
function createPreparedListing(products: readonly Product[]): RequestListener {
  const rows: readonly Row[] = products
    .map((product) => ({ modified: product.date_modified, json: JSON.stringify(product) }))
    .toSorted((a, b) => (a.modified < b.modified ? -1 : Number(a.modified > b.modified)));
  return (request, response) => {
    const query = new URL(request.url ?? '', 'http://shop').searchParams;
    const begin = findFirstRowAfter(rows, query.get('modified_after') ?? '');
    const first = begin + Number(query.get('skip') ?? 0);
    const page = rows.slice(first, first + Number(query.get('take') ?? 100)).map(({ json }) => json);
    const body = `{"total_count":${rows.length - begin},"items":[${page.join(',')}]}`;
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  };
}

/** Returns the index of the first product that was modified after a date; `rows.length` if there is none. */
function findFirstRowAfter(rows: readonly Row[], date: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.modified ?? '') > date) high = middle;
    else low = middle + 1;
  }
  return low;
}
