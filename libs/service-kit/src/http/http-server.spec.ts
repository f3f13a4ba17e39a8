import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { buildServerUrl, startHttpServer } from './http-server.js';

const anywhere = { host: '127.0.0.1', port: 0 };

describe('buildServerUrl', () => {
  it.each([
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['::1', 'http://[::1]:3000'],
    ['quarry.local', 'http://quarry.local:3000'],
  ])('buildServerUrl returns a valid URL of a server that listens at %s', (host, url) => {
    expect(buildServerUrl(host, 3_000)).toBe(url);
    expect(new URL(url).port).toBe('3000');
  });
});

describe('startHttpServer', () => {
  it('the HTTP server finishes requests in progress before it closes', async () => {
    let reportArrival: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (reportArrival = resolve));
    let sendAnswer: () => void = () => undefined;
    const server = await startHttpServer((_request, response) => {
      sendAnswer = () => response.end('done');
      reportArrival();
    }, anywhere);
    const response = fetch(server.url);
    await arrival;
    const closed = server.close(5_000);
    sendAnswer();
    expect(await (await response).text()).toBe('done');
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('a closing HTTP server answers one more request on an open connection, with the header `Connection: close`', async () => {
    const server = await startHttpServer((_request, response) => response.end('done'), anywhere);
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => (received += String(bytes)));
    const ended = once(socket, 'close');
    const sendRequest = (): unknown => socket.write('GET / HTTP/1.1\r\nHost: quarry\r\n\r\n');
    sendRequest();
    await expect.poll(() => received, { timeout: 5_000 }).toMatch(/Connection: keep-alive[^]*done$/);
    received = '';
    const closed = server.close(60_000);
    sendRequest();
    await ended;
    expect(received).toMatch(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*done$/);
    await closed;
  });

  it('a closing HTTP server sends the header `Connection: close` in responses to requests in progress', async () => {
    const { promise: arrival, resolve: reportArrival } = Promise.withResolvers<() => void>();
    const server = await startHttpServer((_request, response) => {
      reportArrival(() => response.end('done'));
    }, anywhere);
    const response = fetch(server.url);
    const sendAnswer = await arrival;
    const closed = server.close(60_000);
    sendAnswer();
    expect((await response).headers.get('connection')).toBe('close');
    await closed;
  });

  it('a closing HTTP server cuts the requests that have not ended by the deadline', async () => {
    const server = await startHttpServer((_request, response) => void response.write('never ends'), anywhere);
    const body = (await fetch(server.url)).text();
    const cut = expect(body).rejects.toThrow();
    await server.close(10);
    await cut;
  });

  it('startHttpServer fails if the port is in use, with an error that names the port', async () => {
    const first = await startHttpServer(() => undefined, anywhere);
    await expect(startHttpServer(() => undefined, { ...anywhere, port: first.port })).rejects.toThrow(
      `port ${first.port} is used by another program`,
    );
    await first.close(0);
  });
});
