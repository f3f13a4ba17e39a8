import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy that serves Quarry below a path prefix. */
export interface PrefixProxy {
  /** Base URL of the console behind the proxy. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a proxy that removes a prefix such as `/tools/quarry` from the paths of requests, as reverse proxies do. */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const forwarded = request(new URL(target).origin + url.slice(prefix.length), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return { baseUrl: `http://127.0.0.1:${port}${prefix}/`, close: async () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
