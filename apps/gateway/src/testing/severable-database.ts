import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../database/database.js';
import { createTestDatabase } from './create-test-database.js';

/**
 * Opens a new database. A call of `sever` breaks its connections, and its server then refuses new connections.
 *
 * @param options.breaksOn returns true for data to the server that breaks its connection; by default, no data does
 */
export async function openSeverableDatabase({
  connections = 5,
  breaksOn = () => false,
}: {
  readonly connections?: number;
  readonly breaksOn?: (sent: Buffer) => boolean;
} = {}): Promise<{
  readonly database: ReturnType<typeof openDatabase>;
  readonly sever: () => void;
}> {
  const copy = await createTestDatabase();
  const target = new URL(copy.url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
    upstream.pipe(client);
    client.on('data', (sent) => {
      if (breaksOn(sent)) client.destroy();
      else upstream.write(sent);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(copy.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is always of this form
  const database = openDatabase({ url: url.href, connections, onConnectionLost: () => undefined });
  const sever = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    await database.close();
    sever();
    await copy.drop();
  });
  return { database, sever };
}
