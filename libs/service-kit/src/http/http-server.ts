import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseUnread } from './refuse-unread.js';
import { watchBodyRates, type RateChecks } from './watch-body-rates.js';
import { DEFAULT_TIMEOUTS, type RequestTimeouts } from '../configuration/request-timeouts.js';

export interface HttpServer {
  /** Base URL of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Accepts no new requests, waits for requests in progress, and cuts those that remain at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** Defines where a server listens, and how long its clients may take. */
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
 * @throws when the port is in use, with the port in the message
 */
export async function startHttpServer(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const { timeouts = DEFAULT_TIMEOUTS, rateChecks, ...address } = options;
  const { headersMs, bodyMs, minBodyBytesPerSecond } = timeouts;
  const server = createServer({
    keepAliveTimeout: 75_000,
    headersTimeout: headersMs,
    requestTimeout: Math.max(headersMs, bodyMs),
    // Node looks for late requests at this interval.
    connectionsCheckingInterval: Math.min(5_000, headersMs),
  });
  watchBodyRates(server, minBodyBytesPerSecond, refuseUnread(server), rateChecks);
  server.on('request', (_request, response) => {
    response.once('prefinish', () => {
      response.setTimeout(UNREAD_MS, () => response.destroy());
    });
  });
  server.on('request', handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? createPortTakenError(address.port, error) : error);
    });
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  const host = address.host === '0.0.0.0' || address.host === '::' ? 'localhost' : address.host;
  return { url: `http://${host}:${port}`, port, close: (deadlineMs) => closeServer(server, deadlineMs) };
}

function createPortTakenError(port: number, cause: Error): Error {
  return new Error(`port ${port} is taken by another program; choose another port`, { cause });
}

const IDLE_SWEEP_MS = 50;

async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  // A connection that becomes idle after close() would otherwise stay open for its keep-alive time.
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
