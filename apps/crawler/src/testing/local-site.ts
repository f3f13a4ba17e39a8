import type { AddressInfo } from 'node:net';
import express, { type Express, type Request } from 'express';

/** A web site of a test, on loopback. It answers whatever routes the test gives its `app`. */
export interface LocalSite {
  /** Such as `http://127.0.0.1:4000`. */
  readonly origin: string;
  readonly app: Express;
  /** Paths with queries that were asked for, in order; `robots.txt` is left out. */
  readonly requests: readonly string[];
  readonly userAgents: ReadonlySet<string>;
  /** Bytes of bodies that were sent, so far. */
  readonly bytes: () => number;
  /** Calls back at each request, before it is answered. */
  onRequest(listener: () => void): void;
  /** Forgets requests and bytes. */
  forget(): void;
  close(): Promise<void>;
}

export async function localSite(): Promise<LocalSite> {
  const app = express();
  const requests: string[] = [];
  const userAgents = new Set<string>();
  let bytes = 0;
  let listener = (): void => undefined;
  app.use((request: Request, response, next) => {
    if (request.path !== '/robots.txt') requests.push(request.originalUrl);
    userAgents.add(request.get('user-agent') ?? '');
    response.once('finish', () => {
      bytes += Number(response.get('content-length') ?? 0) * (response.statusCode === 304 ? 0 : 1);
    });
    listener();
    next();
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  return {
    origin: `http://127.0.0.1:${port}`,
    app,
    requests,
    userAgents,
    bytes: () => bytes,
    onRequest: (given) => {
      listener = given;
    },
    forget: () => {
      requests.length = 0;
      bytes = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
