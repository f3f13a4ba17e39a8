import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

/** Where the folder of sockets is in a container. */
export const SOCKETS = '/run/quarry-tests';

/**
 * For `node -e` in a container, with ports as arguments: what connects to one of them there, on 127.0.0.1, is connected to the
 * socket of that name. It says when it listens.
 */
export const LISTENER = `
const { connect, createServer } = require('node:net');
const { pipeline } = require('node:stream');
let waiting = process.argv.length - 1;
for (const port of process.argv.slice(1)) {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ path: '${SOCKETS}/' + port, allowHalfOpen: true });
    pipeline(client, upstream, client, () => undefined);
  });
  server.listen(Number(port), '127.0.0.1', () => --waiting === 0 && console.log('listening'));
}`;

/** Sockets by which servers that listen on this machine's 127.0.0.1 are reached from containers, with no route between them. */
export interface HostRelay {
  /** On this machine. In it is a socket for each port, named as the port. */
  readonly folder: string;
  close(): Promise<void>;
}

/** @param ports of 127.0.0.1 */
export async function startHostRelay(ports: readonly string[]): Promise<HostRelay> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-relay-'));
  await chmod(folder, 0o755); // containers have users of their own
  const servers = await Promise.all(ports.map((port) => listen(join(folder, port), Number(port))));
  return {
    folder,
    async close() {
      for (const server of servers) server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function listen(path: string, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    pipeline(client, upstream, client, () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  await chmod(path, 0o777);
  return server;
}
