import { expect, it } from 'vitest';
import { createClient } from './client.js';

const openStream = (frames: string): Response =>
  new Response(frames, { headers: { 'Content-Type': 'Text/Event-Stream; charset=utf-8' } });

it('after an interruption, watchDatastore retries until the server is available again, and continues after the last received event', async () => {
  const responses = [
    () => openStream('id: 1\nevent: reset\ndata: {"datastoreId":"d"}\n\n'),
    () => Promise.reject(new TypeError('fetch failed')),
    () => new Response(null, { status: 502 }),
    () => openStream('id: 2\nevent: removed\ndata: {"id":"a","datastoreId":"d"}\n\n'),
  ];
  const lastEventIds: (string | null)[] = [];
  const quarry = createClient({
    baseUrl: 'http://quarry.test/api',
    apiKey: 'qk_1',
    fetch: async (input, init) => {
      lastEventIds.push(new Request(input, init).headers.get('Last-Event-ID'));
      return (responses.shift() ?? (() => new Response(null, { status: 404 })))();
    },
  });
  const events = quarry.watchDatastore('d');
  expect((await events.next()).value).toEqual({ type: 'reset', datastoreId: 'd' });
  expect((await events.next()).value).toEqual({ type: 'removed', id: 'a', datastoreId: 'd' });
  await events.return(undefined);
  expect(lastEventIds).toEqual([null, '1', '1', '1']);
});
