import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';

/** A server on loopback for one test. */
export interface LocalServer {
  readonly port: number;
  /** How many connections were made to it. */
  readonly connections: () => number;
  /** How many of them are still open. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

export const httpServer = (listener: RequestListener): Promise<LocalServer> => listening(createServer(listener));

export const httpsServer = (options: ServerOptions, listener: RequestListener): Promise<LocalServer> =>
  listening(createTlsServer(options, listener));

/** A server that speaks whatever `talk` writes. */
export const tcpServer = (talk: (socket: Socket) => void): Promise<LocalServer> => listening(createTcpServer(talk));

async function listening(server: Server): Promise<LocalServer> {
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
    // A server that listens on TCP has such an address.
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
