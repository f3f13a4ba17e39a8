import { describe, expect, it } from 'vitest';
import { listen } from './http-server.js';

const anywhere = { host: '127.0.0.1', port: 0 };

describe('listen', () => {
  it('finishes requests in progress before it closes', async () => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    let answer: () => void = () => undefined;
    const server = await listen((_request, response) => {
      answer = () => response.end('done');
      arrived();
    }, anywhere);
    const response = fetch(server.url);
    await arrival;
    const closed = server.close(5_000);
    answer();
    expect(await (await response).text()).toBe('done');
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('cuts requests that have not ended by the deadline', async () => {
    const server = await listen((_request, response) => void response.write('never ends'), anywhere);
    const body = (await fetch(server.url)).text();
    const cut = expect(body).rejects.toThrow();
    await server.close(10);
    await cut;
  });

  it('names the port that is in use', async () => {
    const first = await listen(() => undefined, anywhere);
    await expect(listen(() => undefined, { ...anywhere, port: first.port })).rejects.toThrow(
      `port ${first.port} is taken by another program`,
    );
    await first.close(0);
  });
});
