import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTcpConnection } from './first-connection.js';
import { startTcpServer, type LocalServer } from './testing/local-server.js';

let server: LocalServer;

beforeAll(async () => {
  server = await startTcpServer((socket) => socket.resume());
});

afterAll(() => server.close());

const never = new AbortController().signal;

describe('a TCP connection', () => {
  it('openTcpConnection connects to an IP address', async () => {
    const socket = await openTcpConnection({ address: '127.0.0.1', port: server.port }, never);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('openTcpConnection rejects a host name, because a connection to a host name would need another DNS query', async () => {
    const before = server.countConnections();
    await expect(openTcpConnection({ address: 'localhost', port: server.port }, never)).rejects.toThrow(
      "expected an IP address to connect to, found 'localhost'",
    );
    expect(server.countConnections()).toBe(before);
  });

  it('openTcpConnection opens no connection if the signal is already aborted', async () => {
    const failure = openTcpConnection({ address: '127.0.0.1', port: server.port }, AbortSignal.abort());
    await expect(failure).rejects.toThrow('the connection attempt was aborted');
  });
});
