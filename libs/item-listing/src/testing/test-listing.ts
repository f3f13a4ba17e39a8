import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request } from 'express';
import type { FakeListing } from './fake-listing.js';

export interface TestListing {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an HTTP application on a free local port. */
export async function serveListing(app: RequestListener): Promise<TestListing> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/items`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Creates an HTTP application that serves a simulated listing. */
export function createListingApp(
  listing: FakeListing,
  onRequest: (request: Request) => void = () => undefined,
): Express {
  const app = express();
  app.get('/items', (request, response) => {
    onRequest(request);
    const { take, skip, modified_after } = request.query;
    const modifiedAfter = typeof modified_after === 'string' ? modified_after : '';
    const query = { take: Number(take), skip: Number(skip), modifiedAfter };
    const { items, totalCount } = listing.answerQuery(query);
    response.json({ total_count: totalCount, items });
  });
  return app;
}
