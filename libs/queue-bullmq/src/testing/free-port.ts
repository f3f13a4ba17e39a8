import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** First port of the range from which Linux chooses the local ports of outgoing connections. */
const FIRST_EPHEMERAL_PORT = 32_768;

/** Returns a free port of 127.0.0.1 outside the range for outgoing connections. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, FIRST_EPHEMERAL_PORT);
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
