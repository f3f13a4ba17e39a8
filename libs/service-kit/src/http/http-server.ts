import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, Server as NetServer } from 'node:net';
import { refuseUnreadableRequests } from './refuse-unreadable-requests.js';
import { watchBodyRates, type RateChecks } from './watch-body-rates.js';
import { DEFAULT_TIMEOUTS, type RequestTimeouts } from '../configuration/request-timeouts.js';

export interface HttpServer {
  /** Base URL of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /**
   * Accepts no new connections, and waits for requests in progress. A client may send one more request on an open
   * connection. The response to it announces the end of the connection. Cuts the connections that remain open after
   * `deadlineMs` milliseconds.
   */
  close(deadlineMs: number): Promise<void>;
}

/** Defines the address at which a server listens, and the limits for slow clients. */
export interface ListenOptions {
  readonly host: string;
  /** Port to listen on. 0: any free port. */
  readonly port: number;
  readonly timeouts?: RequestTimeouts;
  readonly rateChecks?: RateChecks;
}

/** Time in milliseconds after which a client that reads nothing of its response is considered disconnected. */
const UNREAD_MS = 120_000;

/**
 * Starts an HTTP server that closes the connections of slow clients.
 *
 * @throws Error if the port is in use; the message contains the port
 */
export async function startHttpServer(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const { timeouts = DEFAULT_TIMEOUTS, rateChecks, ...address } = options;
  const { headersMs, bodyMs, minBodyBytesPerSecond } = timeouts;
  const server = createServer({
    keepAliveTimeout: 75_000,
    headersTimeout: headersMs,
    requestTimeout: Math.max(headersMs, bodyMs),
    // Interval at which Node checks for requests that exceed a timeout.
    connectionsCheckingInterval: Math.min(5_000, headersMs),
  });
  watchBodyRates(server, minBodyBytesPerSecond, refuseUnreadableRequests(server), rateChecks);
  const inProgress = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    inProgress.add(response);
    response.once('close', () => inProgress.delete(response));
    response.once('prefinish', () => {
      response.setTimeout(UNREAD_MS, () => response.destroy());
    });
  });
  server.on('request', handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? createPortInUseError(address.port, error) : error);
    });
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  const url = buildServerUrl(address.host, port);
  return { url, port, close: (deadlineMs) => closeServer(server, inProgress, deadlineMs) };
}

/** Builds the base URL of a server that listens at a host. A host that means all interfaces becomes `localhost`. */
export function buildServerUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function createPortInUseError(port: number, cause: Error): Error {
  return new Error(`port ${port} is used by another program: stop it, or choose another port`, { cause });
}

/**
 * Interval in milliseconds at which a closing server closes its idle connections. The server does not close idle
 * connections at once, because a request that arrives on a closed connection is lost. A request that arrives within the
 * first interval gets a response that announces the end of the connection.
 */
const IDLE_SWEEP_MS = 500;

async function closeServer(server: Server, inProgress: ReadonlySet<ServerResponse>, deadlineMs: number): Promise<void> {
  inProgress.forEach(closeConnectionAfterResponse);
  server.prependListener('request', (_request, response: ServerResponse) => {
    closeConnectionAfterResponse(response);
  });
  const closed = new Promise<void>((resolve) => {
    // `close` of the HTTP server would close idle connections at once.
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, IDLE_SWEEP_MS);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Makes a response the last response of its connection, unless the headers of the response are already sent. */
function closeConnectionAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
