import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tcpConnector } from './tcp-connector.js';
import { tcpServer, type LocalServer } from './testing/local-server.js';

let server: LocalServer;

beforeAll(async () => {
  server = await tcpServer((socket) => socket.resume());
});

afterAll(() => server.close());

const never = new AbortController().signal;

describe('a TCP connection', () => {
  it('is made to an address', async () => {
    const socket = await tcpConnector({ address: '127.0.0.1', port: server.port }, never);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('is never made to a name, which would have to be looked up once more', async () => {
    const before = server.connections();
    await expect(tcpConnector({ address: 'localhost', port: server.port }, never)).rejects.toThrow(
      "expected an IP address to connect to, found 'localhost'",
    );
    expect(server.connections()).toBe(before);
  });

  it('is not made when it is no longer wanted', async () => {
    const failure = tcpConnector({ address: '127.0.0.1', port: server.port }, AbortSignal.abort());
    await expect(failure).rejects.toThrow('the attempt was given up');
  });
});
