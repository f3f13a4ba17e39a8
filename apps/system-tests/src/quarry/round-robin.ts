import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface RoundRobin {
  /** Base URL of the proxy, such as `http://127.0.0.1:43125`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards connections to the given ports of 127.0.0.1 in turn, as a Kubernetes Service does. It
 * skips ports that accept no connection.
 */
export async function startRoundRobinProxy(ports: readonly number[]): Promise<RoundRobin> {
  const open = new Set<Socket>();
  let turn = 0;
  const server: Server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    turn += 1;
    const begin = turn % ports.length;
    void forwardToFirstAvailablePort(client, [...ports.slice(begin), ...ports.slice(0, begin)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forwardToFirstAvailablePort(client: Socket, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    const upstream = connect(port, '127.0.0.1');
    upstream.on('error', () => upstream.destroy());
    const connected = await once(upstream, 'connect').then(
      () => true,
      () => false,
    );
    if (!connected) continue;
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
    return;
  }
  client.destroy();
}
