import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeProducts, type Product } from '@quarry/example-listing-server/products';

/**
 * Serves a listing of `count` products on a loopback address, and sends the address to the parent process. Each message
 * from the parent process is a number: this function edits as many products, and then sends a message back.
 */
export function serveChangingListing(
  createListener: (products: readonly Product[]) => RequestListener,
  count: number,
): void {
  let products: readonly Product[] = makeProducts(count);
  let listener = createListener(products);
  const server = createServer((request, response) => {
    listener(request, response);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo; // a TCP server has this form of address
    process.send?.(`http://127.0.0.1:${port}/items`);
  });
  process.on('message', (edits: number) => {
    products = editProducts(products, edits);
    listener = createListener(products);
    process.send?.('edited');
  });
}

function editProducts(products: readonly Product[], edits: number): readonly Product[] {
  const now = Date.now();
  const changed = products.slice(0, edits).map((product, at) => ({
    ...product,
    title: `${product.title}, edited`,
    date_modified: new Date(now + at).toISOString(),
  }));
  return [...products.slice(edits), ...changed];
}
