import type { AddressInfo } from 'node:net';
import express, { type Express, type Request } from 'express';

/** Describes a web site on loopback for tests. Tests add routes to its `app`. */
export interface LocalSite {
  /** The origin, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
  readonly app: Express;
  /** The paths of all requests with their queries, in order of arrival, without `/robots.txt`. */
  readonly requests: readonly string[];
  readonly userAgents: ReadonlySet<string>;
  /** Returns the total size in bytes of all response bodies that the site has sent since the last `resetCounters`. */
  readonly countSentBytes: () => number;
  /** Sets the function that is called for each request before its response. It replaces the previous one. */
  onRequest(listener: () => void): void;
  /** Resets `requests` and the number of sent bytes. */
  resetCounters(): void;
  close(): Promise<void>;
}

export async function startLocalSite(): Promise<LocalSite> {
  const app = express();
  const requests: string[] = [];
  const userAgents = new Set<string>();
  let bytes = 0;
  let notifyListener = (): void => undefined;
  app.use((request: Request, response, next) => {
    if (request.path !== '/robots.txt') requests.push(request.originalUrl);
    userAgents.add(request.get('user-agent') ?? '');
    response.once('finish', () => {
      bytes += Number(response.get('content-length') ?? 0) * (response.statusCode === 304 ? 0 : 1);
    });
    notifyListener();
    next();
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server always has an address of this type
  return {
    origin: `http://127.0.0.1:${port}`,
    app,
    requests,
    userAgents,
    countSentBytes: () => bytes,
    onRequest: (newListener) => {
      notifyListener = newListener;
    },
    resetCounters: () => {
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

/** Builds an HTML page whose heading equals its title. @param head further elements of its head */
export function buildHtmlPage(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
