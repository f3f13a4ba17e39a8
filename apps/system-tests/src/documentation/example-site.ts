import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Controls a server on this machine that stands for `https://www.example.com` in the documents. */
export interface ExampleSite {
  /** Base URL of the site, such as `http://127.0.0.1:43125`. */
  readonly url: string;
  stop(): Promise<void>;
}

const PAGE = '<html><head><title>Prices</title></head><body><main><p>A repair costs 40 euros.</p></main></body></html>';

/** Starts a web server with pages, an item listing at `/items`, and an endpoint that accepts webhook events. */
export async function startExampleSite(): Promise<ExampleSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    request.resume();
    if (pathname === '/robots.txt') response.writeHead(404).end();
    else if (pathname === '/items') {
      response.setHeader('Content-Type', 'application/json').end('{"total_count":0,"items":[]}');
    } else response.setHeader('Content-Type', 'text/html').end(PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
