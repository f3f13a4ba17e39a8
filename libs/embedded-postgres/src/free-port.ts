import { createServer } from 'node:net';

/** Returns a free port of 127.0.0.1. Another program may take it before it is used; try again then. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error(`expected a port of 127.0.0.1, found ${String(address)}`));
      });
    });
  });
}
