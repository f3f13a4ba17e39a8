import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExampleListing } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';

const PRODUCTS = 200;
/** Number of products that are edited between two syncs. The same number of products is removed, or added again. */
const EDITS = 10;

/** A server on loopback with web pages at every path and an item listing at `/items`. */
export interface Sources {
  readonly url: string;
  /**
   * Edits some items of the listing. Every second call also removes the last items, and the next call adds them again.
   */
  editItems(): void;
  stop(): void;
}

export async function startExternalSources(): Promise<Sources> {
  let edition = 0;
  let products = makeProducts(PRODUCTS);
  const listing = createExampleListing(() => products);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/items')) {
      listing(request, response);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>${path}</title><main>${'<p>A page about stones in the quarry.</p>'.repeat(50)}</main>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}`,
    editItems() {
      edition += 1;
      const now = new Date().toISOString();
      const edit = { title: `edition ${edition}`, date_modified: now };
      // Every second call removes the last products, and the next call adds them again.
      products = makeProducts(PRODUCTS - (edition % 2) * EDITS).map((product, at) =>
        at < EDITS || at >= PRODUCTS - EDITS ? { ...product, ...edit } : product,
      );
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
