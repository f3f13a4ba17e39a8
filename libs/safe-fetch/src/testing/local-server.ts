import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';

/** Describes a server for one test, which listens on loopback. */
export interface LocalServer {
  readonly port: number;
  /** Returns the number of connections that clients have opened to the server, including closed ones. */
  readonly countConnections: () => number;
  /** Returns the number of connections to the server that are open now. */
  readonly countOpenConnections: () => number;
  readonly close: () => Promise<void>;
}

export const startHttpServer = (listener: RequestListener): Promise<LocalServer> =>
  listenOnFreePort(createServer(listener));

export const startHttpsServer = (options: ServerOptions, listener: RequestListener): Promise<LocalServer> =>
  listenOnFreePort(createTlsServer(options, listener));

/** Starts a TCP server that calls `handle` for each connection. */
export const startTcpServer = (handle: (socket: Socket) => void): Promise<LocalServer> =>
  listenOnFreePort(createTcpServer(handle));

async function listenOnFreePort(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // For a TCP server, `address` returns an object of this type.
    port: (server.address() as AddressInfo).port,
    countConnections: () => connections,
    countOpenConnections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
