import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Where Linux begins to give ports to connections by itself: one of those could be taken before it is used. */
const FIRST_OF_CONNECTIONS = 32_768;

/** A port of 127.0.0.1 on which nothing listens now, and which no connection takes. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, FIRST_OF_CONNECTIONS);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return findFreePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
