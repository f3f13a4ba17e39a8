import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExampleListing } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';

export const SHOP_KEY = 'the-key-of-the-shop';

/** A web site with a listing at `/shop`. It sends no response until `release` is called. */
export interface PausedSite {
  /** Base URL of the site, such as `http://127.0.0.1:43125`. */
  readonly url: string;
  /** Paths of the requests that wait now for a call of `release`. */
  readonly waitingPaths: ReadonlySet<string>;
  release(): void;
  close(): Promise<void>;
}

/**
 * Starts a web site that holds back its responses.
 *
 * @param pages number of pages, each of which links to all pages
 * @param products number of items of the listing
 */
export async function startPausedSite(pages: number, products: number): Promise<PausedSite> {
  const released = Promise.withResolvers<undefined>();
  const waitingPaths = new Set<string>();
  const shop = createExampleListing(() => makeProducts(products), SHOP_KEY);
  const answerWhenReleased = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    waitingPaths.add(pathname);
    await released.promise;
    waitingPaths.delete(pathname);
    if (pathname.startsWith('/shop')) {
      request.url = (request.url ?? '').slice('/shop'.length);
      shop(request, response);
    } else {
      sendNumberedPage(response, pathname, pages);
    }
  };
  const server = createServer((request, response) => void answerWhenReleased(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}`,
    waitingPaths,
    release: () => {
      released.resolve(undefined);
    },
    async close() {
      released.resolve(undefined);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendNumberedPage(response: ServerResponse, pathname: string, pages: number): void {
  const page = Number(/^\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN);
  const links = Array.from({ length: pages }, (_, at) => `<a href="/${at}">Page ${at}</a>`).join(' ');
  const text = `<main><h1>Page ${page}</h1><p>The quarry has a wall number ${page}, cut in spring.</p>${links}</main>`;
  response.writeHead(page < pages ? 200 : 404, { 'Content-Type': 'text/html' });
  response.end(`<!doctype html><title>Page ${page}</title>${text}`);
}
