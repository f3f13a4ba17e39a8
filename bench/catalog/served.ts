import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeProducts, type Product } from '@quarry/example-listing-server/products';

/**
 * Serves a listing on loopback, sends its address to the process that started this one, and at each number that is sent changes
 * that many products.
 */
export function serveListing(answer: (products: readonly Product[]) => RequestListener, count: number): void {
  let products: readonly Product[] = makeProducts(count);
  let listener = answer(products);
  const server = createServer((request, response) => {
    listener(request, response);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
    process.send?.(`http://127.0.0.1:${port}/items`);
  });
  process.on('message', (edits: number) => {
    products = edited(products, edits);
    listener = answer(products);
    process.send?.('edited');
  });
}

function edited(products: readonly Product[], edits: number): readonly Product[] {
  const now = Date.now();
  const changed = products.slice(0, edits).map((product, at) => ({
    ...product,
    title: `${product.title}, again`,
    date_modified: new Date(now + at).toISOString(),
  }));
  return [...products.slice(edits), ...changed];
}
