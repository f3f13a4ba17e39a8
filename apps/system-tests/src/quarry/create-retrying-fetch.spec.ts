import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createClient } from '@quarry/client';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRetryingFetch } from './create-retrying-fetch.js';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 15\r\nconnection: close\r\n\r\n';
const BODY = '{"name":"mine"}';

describe('createRetryingFetch', () => {
  let server: Server;
  let answers: ((socket: Socket) => void)[];
  let asked: number;
  let again: number;

  beforeEach(async () => {
    answers = [];
    asked = 0;
    again = 0;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const answer = answers[asked];
        asked += 1;
        answer?.(socket);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
  });

  const getPort = (): number => (server.address() as AddressInfo).port; // a TCP server has this form of address
  const requestFrom = (at = getPort()): Promise<unknown> =>
    createClient({
      baseUrl: `http://127.0.0.1:${at}`,
      apiKey: 'key',
      retries: 0,
      fetch: createRetryingFetch(() => (again += 1)),
    }).getMe();
  const answerWith = (text: string) => (socket: Socket) => void socket.end(text);

  it('createRetryingFetch repeats a request whose connection closes before a response', async () => {
    answers = [(socket) => void socket.resetAndDestroy(), (socket) => void socket.destroy(), answerWith(ANSWER + BODY)];
    expect(await requestFrom()).toEqual({ name: 'mine' });
    expect({ asked, again }).toEqual({ asked: 3, again: 2 });
  });

  it('createRetryingFetch repeats a request whose connection is refused', async () => {
    const later = await findFreePort();
    const asking = requestFrom(later);
    await expect.poll(() => again, { timeout: 20_000 }).toBeGreaterThan(1);
    answers = [answerWith(ANSWER + BODY)];
    const late = createServer((socket) => server.emit('connection', socket)).listen(later, '127.0.0.1');
    expect(await asking).toEqual({ name: 'mine' });
    late.close();
  });

  it.each([
    ['has an error status', 'HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'],
    ['has a Retry-After header', 'HTTP/1.1 503 No\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'],
    ['has an incomplete body', ANSWER + BODY.slice(0, 4)],
    ['is not valid HTTP', 'Good evening.\r\n\r\n'],
  ])(
    'createRetryingFetch sends one request, and returns the response unchanged, if the response %s',
    async (_what, answer) => {
      answers = [answerWith(answer), answerWith(ANSWER + BODY)];
      await expect(requestFrom()).rejects.toThrow();
      expect({ asked, again }).toEqual({ asked: 1, again: 0 });
    },
  );
});
