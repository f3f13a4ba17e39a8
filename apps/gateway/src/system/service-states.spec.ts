import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryServiceReader } from './service-states.js';

describe('createQueryServiceReader', () => {
  it('the reader that createQueryServiceReader creates stops reading an endless response of the query service at the size limit', async () => {
    const closed = Promise.withResolvers<unknown>();
    const server = createServer((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', write).on('close', closed.resolve);
      write();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on a port
    const read = createQueryServiceReader({ url: `http://127.0.0.1:${port}`, token: 't' }, () => new Date());
    expect(JSON.stringify(await read())).toContain('expected a response of at most 1048576 bytes, found a longer one');
    await closed.promise;
  });
});
