import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeProducts } from '@quarry/example-listing-server/products';

/*
 * A shop on loopback in a process of its own: `node shop.js <products>` sends its address to the process that started it. It does as
 * little as it can, so that it is not what is measured: products are sorted and written as JSON once. A message `edit` changes that
 * many products.
 */

interface Row {
  readonly modified: string;
  readonly json: string;
}

const products = makeProducts(Number(process.argv[2]));
const order = (a: Row, b: Row): number => (a.modified < b.modified ? -1 : Number(a.modified > b.modified));
let rows: Row[] = products
  .map((product) => ({ modified: product.date_modified, json: JSON.stringify(product) }))
  .toSorted(order);

/** The first row that is modified later. */
function firstAfter(date: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.modified ?? '') > date) high = middle;
    else low = middle + 1;
  }
  return low;
}

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://shop').searchParams;
  const begin = firstAfter(query.get('modified_after') ?? '');
  const first = begin + Number(query.get('skip') ?? 0);
  const page = rows.slice(first, first + Number(query.get('take') ?? 100)).map(({ json }) => json);
  const body = `{"total_count":${rows.length - begin},"items":[${page.join(',')}]}`;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  process.send?.(`http://127.0.0.1:${port}/items`);
});

process.on('message', (edits: number) => {
  const now = Date.now();
  const changed = products.slice(0, edits).map((product, at) => {
    const modified = new Date(now + at).toISOString();
    return {
      modified,
      json: JSON.stringify({ ...product, title: `${product.title}, again`, date_modified: modified }),
    };
  });
  const before = new Set(products.slice(0, edits).map((product) => JSON.stringify(product)));
  rows = [...rows.filter(({ json }) => !before.has(json)), ...changed].toSorted(order);
  process.send?.('edited');
});
