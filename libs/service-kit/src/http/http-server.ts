import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Takes no new requests, lets those under way finish, and cuts what is left at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * @param address port 0 takes a free one
 * @throws when the port is taken: the message says which
 */
export async function listen(
  handler: RequestListener,
  address: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 75_000, requestTimeout: 0 }, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portTaken(address.port, error) : error);
    });
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  const host = address.host === '0.0.0.0' || address.host === '::' ? 'localhost' : address.host;
  return { url: `http://${host}:${port}`, port, close: (deadlineMs) => close(server, deadlineMs) };
}

function portTaken(port: number, cause: Error): Error {
  return new Error(`port ${port} is taken by another program; choose another port`, { cause });
}

const IDLE_SWEEP_MS = 50;

async function close(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  // A connection that becomes idle after close() was called would be kept for its whole keep-alive time.
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
