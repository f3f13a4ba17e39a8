import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerEvent } from './answer-events.js';
import { createClient } from './client.js';
import { QuarryError } from './quarry-error.js';
import type { QuarryClient } from './client.js';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}
type Answer = (response: ServerResponse) => void;

let server: Server;
let requests: ReceivedRequest[];
/** Functions that respond to the next requests, in this order. The last one responds to all further requests. */
let answers: Answer[];
let quarry: QuarryClient;

const respondJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const respondBusy = (status: number, retryAfter: string): Answer =>
  respondJson(status, { code: 'busy', detail: 'Later.' }, { 'Retry-After': retryAfter });

beforeEach(async () => {
  requests = [];
  answers = [respondJson(200, { id: 'x' })];
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: await buffer(request) });
    (answers.length > 1 ? answers.shift() : answers[0])?.(response);
  };
  server = createServer((request, response) => void handleRequest(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  quarry = createClient({ baseUrl: `http://127.0.0.1:${port}/api/`, apiKey: 'qk_1' });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('a request', () => {
  it('a request contains the API key, the path and the query parameters of the call', async () => {
    expect(await quarry.listAgents({ limit: 2, cursor: 'a/b' })).toEqual({ id: 'x' });
    expect(requests).toMatchObject([
      { method: 'GET', url: '/api/agents?limit=2&cursor=a%2Fb', headers: { authorization: 'Bearer qk_1' } },
    ]);
  });

  it('getPagePictureUrl returns the URL that getPagePicture requests', async () => {
    await quarry.getPagePicture('a/b', 3, { width: 800 });
    expect(requests).toMatchObject([{ url: '/api/datasources/a%2Fb/pages/3?width=800' }]);
    expect(new URL(quarry.getPagePictureUrl('a/b', 3, { width: 800 })).pathname).toBe('/api/datasources/a%2Fb/pages/3');
    const inPage = createClient({ baseUrl: '/quarry/api' });
    expect(inPage.getPagePictureUrl('a', 1)).toBe('/quarry/api/datasources/a/pages/1');
  });

  it('a request encodes the special characters of an id, so that the id cannot change the path of the request', async () => {
    await quarry.getAgent('../keys?x=1#');
    expect(requests[0]?.url).toBe('/api/agents/..%2Fkeys%3Fx%3D1%23');
  });

  it('if Quarry returns a problem document, a request rejects with a QuarryError that has the fields of the document', async () => {
    const errors = [{ path: 'name', message: 'must be a string' }];
    answers = [respondJson(400, { code: 'validation_failed', detail: 'name must be a string.', errors })];
    const found = await quarry.createDatastore({ name: '' }).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(QuarryError);
    expect(found).toMatchObject({ status: 400, code: 'validation_failed', detail: 'name must be a string.', errors });
  });

  it('if a proxy returns an error page, a request rejects with an error that quotes the beginning of the page', async () => {
    answers = [(response) => response.writeHead(502).end('<html>Bad gateway')];
    await expect(quarry.getAgent('a')).rejects.toMatchObject({
      status: 502,
      code: 'unexpected_answer',
      detail: expect.stringContaining('status 502 and this start of the response: <html>Bad gateway') as unknown,
    });
  });

  it('a request resolves if the response has no body', async () => {
    answers = [(response) => response.writeHead(204).end()];
    await quarry.deleteAgent('a');
    expect(requests).toMatchObject([{ method: 'DELETE', url: '/api/agents/a' }]);
  });
});

describe('a search', () => {
  it('queryDatastore returns an array of results, and explainDatastoreQuery returns the results with an explanation', async () => {
    answers = [respondJson(200, [{ text: 't' }]), respondJson(200, { results: [], explanation: {} })];
    expect(await quarry.queryDatastore('d', { query: 'q' })).toEqual([{ text: 't' }]);
    expect(await quarry.explainDatastoreQuery('d', { query: 'q' })).toEqual({ results: [], explanation: {} });
    expect(requests.map(({ body }) => body.toString())).toEqual(['{"query":"q"}', '{"query":"q","explain":true}']);
  });
});

describe('a retry', () => {
  it.each([429, 503])('the client repeats a request after status %i with `Retry-After`', async (status) => {
    answers = [respondBusy(status, '0'), respondBusy(status, new Date(0).toUTCString()), respondJson(200, [])];
    expect(await quarry.queryDatastore('d', { query: 'q' })).toEqual([]);
    expect(requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"query":"q"}'));
  });

  it('a retry of a request that creates a resource has the `Idempotency-Key` of the first attempt', async () => {
    const listIdempotencyKeys = () => requests.map(({ headers }) => headers['idempotency-key']);
    answers = [respondBusy(503, '0'), respondJson(201, { id: 'x' })];
    await quarry.createAgent({ name: 'a', datastoreIds: [] });
    await quarry.createAgent({ name: 'a', datastoreIds: [] });
    const [first, again, other] = listIdempotencyKeys();
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect([again, other === first]).toEqual([first, false]);
    await quarry.createDatastore({ name: 'a' }, { idempotencyKey: 'mine' });
    await quarry.getAgent('a');
    expect(listIdempotencyKeys().slice(3)).toEqual(['mine', undefined]);
  });

  it('a retry of a sync request has the `Idempotency-Key` of the first attempt, so that only one run starts', async () => {
    answers = [respondBusy(503, '0'), respondJson(200, { id: 'x' })];
    await quarry.syncDatasource('a', { full: true });
    await quarry.syncDatasource('a', { idempotencyKey: 'mine' });
    const [first, again, named] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect([again, named]).toEqual([first, 'mine']);
    expect(requests.map(({ url }) => url)).toEqual([
      ...Array<string>(2).fill('/api/datasources/a/sync?full=true'),
      '/api/datasources/a/sync',
    ]);
  });

  it('the client repeats a request at most twice', async () => {
    answers = [respondBusy(503, '0')];
    await expect(quarry.getAgent('a')).rejects.toMatchObject({ status: 503, code: 'busy' });
    expect(requests).toHaveLength(3);
  });

  it.each([
    [
      'an upload of a stream, which can be read only once',
      respondBusy(503, '0'),
      () => quarry.uploadFile('d', { content: new Blob(['x']).stream(), name: 'a.txt', type: 'text/plain' }),
    ],
    ['a question', respondBusy(429, '0'), () => quarry.queryAgent('a', { query: 'q' })],
    [
      'a request after an error without Retry-After',
      respondJson(503, { code: 'busy', detail: '' }),
      () => quarry.getAgent('a'),
    ],
    ['a request after an error with status 500', respondBusy(500, '0'), () => quarry.getAgent('a')],
    [
      'a request after an error whose Retry-After exceeds the maximum delay',
      respondBusy(503, '3600'),
      () => quarry.getAgent('a'),
    ],
  ])('the client does not repeat %s', async (_what, answer, call) => {
    answers = [answer];
    await expect(call()).rejects.toBeInstanceOf(QuarryError);
    expect(requests).toHaveLength(1);
  });

  it('if the caller aborts during the delay before a retry, the client stops waiting and sends no further request', async () => {
    const ending = new AbortController();
    answers = [
      (response) => {
        respondBusy(503, '20')(response);
        response.once('close', () => {
          ending.abort(new Error('enough'));
        });
      },
    ];
    await expect(quarry.getAgent('a', { signal: ending.signal })).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });

  it('the client waits a whole minute before a retry if `Retry-After` is 60, because the rate limit counts requests per minute', async () => {
    answers = [respondBusy(429, '60')];
    const signal = AbortSignal.timeout(200); // ends the wait
    await expect(quarry.getAgent('a', { signal })).rejects.toThrow(/timeout/);
    expect(requests).toHaveLength(1);
  });
});

describe('an upload', () => {
  const parseForm = async (): Promise<FormData> => {
    const { headers, body } = requests[0] ?? { headers: {}, body: Buffer.alloc(0) };
    const init = { headers: { 'Content-Type': headers['content-type'] ?? '' } };
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is slow with large forms, and this one is small
    return new Response(new Uint8Array(body), init).formData();
  };
  const createStream = () => new Blob(['some ', 'text']).stream();

  it.each([
    ['a File', () => new File(['some text'], 'a "b".txt', { type: 'text/plain' })],
    ['a Blob', () => ({ content: new Blob(['some text'], { type: 'text/plain' }), name: 'a "b".txt' })],
    ['a stream', () => ({ content: createStream(), name: 'a "b".txt', type: 'text/plain' })],
  ])('an upload sends %s as the last part of a form', async (_what, file) => {
    await quarry.uploadFile('d/1', file(), { custom_id: 'ü\u{1F4DA}' });
    expect(requests[0]?.url).toBe('/api/external/datastores/file-upload/d%2F1');
    const received = [...(await parseForm())];
    expect(received.slice(0, -1)).toEqual([
      ['fileName', 'a "b".txt'],
      ['custom_id', 'ü\u{1F4DA}'],
    ]);
    const sent = received.at(-1)?.[1];
    if (!(sent instanceof File)) throw new Error(`expected a file, found ${String(sent)}`);
    expect([sent.name, sent.type, await sent.text()]).toEqual(['a "b".txt', 'text/plain', 'some text']);
  });

  it('an upload sends the option `fileName` instead of the name of the file', async () => {
    await quarry.uploadFile('d', new File(['some text'], 'a.txt'), { fileName: 'b.txt' });
    expect((await parseForm()).get('fileName')).toBe('b.txt');
  });
});

describe('a streamed answer', () => {
  it('a streamed answer yields the pieces of the answer text, and at the end the response', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('event: answer\ndata: Ye\n\nevent: answer\ndata: s.\n\n');
        response.end('event: endpoint_response\ndata: {"answer":"\\u0025"}\n\ndata: [DONE]\n\n');
      },
    ];
    const events: AnswerEvent[] = [];
    for await (const event of quarry.streamAgent('a', { query: 'q' })) events.push(event);
    expect(events).toEqual([
      { type: 'answer', text: 'Ye' },
      { type: 'answer', text: 's.' },
      { type: 'response', response: { answer: '%' } },
    ]);
    expect(JSON.parse(requests[0]?.body.toString() ?? '')).toEqual({ query: 'q', streaming: true });
  });

  it('if Quarry responds with an error, a streamed answer throws this error before the first event', async () => {
    answers = [respondJson(402, { code: 'usage_limit_reached', detail: 'No more.' })];
    await expect(quarry.streamAgent('a', { query: 'q' }).next()).rejects.toMatchObject({ status: 402 });
  });

  it('a streamed answer aborts its request when the caller leaves the `for await` loop over its events', async () => {
    const left = Promise.withResolvers<undefined>();
    answers = [
      (response) => {
        response.once('close', () => {
          left.resolve(undefined);
        });
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('event: answer\ndata: Ye\n\n');
      },
    ];
    for await (const event of quarry.streamAgent('a', { query: 'q' })) {
      expect(event).toEqual({ type: 'answer', text: 'Ye' });
      break;
    }
    await left.promise;
  });
});

describe('the API key of a client', () => {
  it('the client sends an API key without the newline at its end, as in a key that was read from a file', async () => {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`; // a TCP server has this form of address
    await createClient({ baseUrl, apiKey: 'qk_1\n' }).getMe();
    expect(requests[0]?.headers.authorization).toBe('Bearer qk_1');
  });

  it.each(['', ' \n', 'qk_secret\nqk_second', 'qk_secret 1', 'qk_sécret'])(
    'createClient rejects the API key %j, which no header can contain, with an error that does not contain the key',
    (apiKey) => {
      const create = (): QuarryClient => createClient({ baseUrl: 'http://127.0.0.1:9/api', apiKey });
      expect(create).toThrow(/^Expected an API key of printable ASCII characters, found [a-z ,]+\.$/);
    },
  );
});
