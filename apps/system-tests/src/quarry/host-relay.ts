import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

/** Path in the containers at which the folder with the relay's sockets is mounted. */
export const SOCKETS = '/run/quarry-tests';

/**
 * Source of a program that runs in a container with `node -e`. Its arguments are ports. It listens on these ports of
 * 127.0.0.1, and then prints a line. It forwards each connection to the socket in `SOCKETS` that is named after the
 * port.
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

/** Unix sockets through which containers connect to servers on this machine's 127.0.0.1 without a network route. */
export interface HostRelay {
  /** Path of the folder on this machine that contains one socket per port, named after the port. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Starts a relay. @param ports ports of 127.0.0.1 on which the servers of the tests listen */
export async function startHostRelay(ports: readonly string[]): Promise<HostRelay> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-relay-'));
  await chmod(folder, 0o755); // containers have users of their own
  const servers = await Promise.all(ports.map((port) => forwardSocketToPort(join(folder, port), Number(port))));
  return {
    folder,
    async close() {
      for (const server of servers) server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function forwardSocketToPort(path: string, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    pipeline(client, upstream, client, () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  await chmod(path, 0o777);
  return server;
}
