import { describe, expect, it } from 'vitest';
import { startHttpServer } from './http-server.js';

const anywhere = { host: '127.0.0.1', port: 0 };

describe('listen', () => {
  it('finishes requests in progress before it closes', async () => {
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

  it('cuts requests that have not ended by the deadline', async () => {
    const server = await startHttpServer((_request, response) => void response.write('never ends'), anywhere);
    const body = (await fetch(server.url)).text();
    const cut = expect(body).rejects.toThrow();
    await server.close(10);
    await cut;
  });

  it('names the port that is in use', async () => {
    const first = await startHttpServer(() => undefined, anywhere);
    await expect(startHttpServer(() => undefined, { ...anywhere, port: first.port })).rejects.toThrow(
      `port ${first.port} is taken by another program`,
    );
    await first.close(0);
  });
});
