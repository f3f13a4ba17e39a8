import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { findFreePort } from '@quarry/queue-bullmq/testing';

/** Controls a TCP proxy to a server. A test can break the connections of the proxy, as a network failure does. */
export interface BreakableLink {
  /** The port of the proxy on 127.0.0.1. */
  readonly port: number;
  /** Closes all connections, and refuses new connections until `restore` is called. */
  break(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a breakable TCP proxy. @param target port of 127.0.0.1 on which the proxied server listens */
export async function openBreakableLink(target: number): Promise<BreakableLink> {
  const port = await findFreePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const restore = async (): Promise<void> => {
    if (server !== undefined) return;
    server = createServer((client) => {
      forwardConnection(client, target, sockets);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const closeServer = async (): Promise<void> => {
    const closed = server === undefined ? undefined : once(server, 'close');
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await restore();
  return { port, break: closeServer, restore, close: closeServer };
}

function forwardConnection(client: Socket, targetPort: number, sockets: Set<Socket>): void {
  const upstream = connect(targetPort, '127.0.0.1');
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  client.pipe(upstream).pipe(client);
}
