import { expect, it } from 'vitest';
import { createClient, type QuarryClient } from './client.js';
import { QuarryError } from './quarry-error.js';

/** Creates a client whose requests receive the given response. */
const createClientWithResponse = (baseUrl: string, status: number, body: string) =>
  createClient({ baseUrl, apiKey: 'qk_1', fetch: async () => Promise.resolve(new Response(body, { status })) });

const UNKNOWN_ROUTE = JSON.stringify({ code: 'not_found', detail: 'There is no POST /agents.' });
const UNKNOWN_AGENT = JSON.stringify({ code: 'not_found', detail: 'There is no agent a1.' });
const HINT = 'The base URL http://quarry.test does not end with /api';

it('the error of a request names the base URL if no server listens there', async () => {
  // No server listens on port 1, which is reserved.
  const quarry = createClient({ baseUrl: 'http://127.0.0.1:1/api', apiKey: 'qk_1' });
  const error = await quarry.listAgents().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toMatch(/Expected Quarry at http:\/\/127\.0\.0\.1:1\/api, but the request failed: .+\. Check/);
  expect((error as TypeError).cause).toBeInstanceOf(TypeError);
});

it('an aborted request rejects with the reason of the signal', async () => {
  const quarry = createClient({ baseUrl: 'http://127.0.0.1:1/api', apiKey: 'qk_1' });
  const reason = new TypeError('no longer needed');
  await expect(quarry.getMe({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

type OpenStream = (quarry: QuarryClient) => AsyncGenerator;

const STREAMS: readonly (readonly [name: string, open: OpenStream])[] = [
  ['streamAgent', (quarry) => quarry.streamAgent('a', { query: 'q' })],
  ['streamAnswer', (quarry) => quarry.streamAnswer('c', 'm')],
  ['watchDatasource', (quarry) => quarry.watchDatasource('d')],
  ['watchDatastore', (quarry) => quarry.watchDatastore('d')],
];

it.each(STREAMS)(
  '%s throws an error with the hint that the base URL lacks /api if the response is a web page instead of a stream',
  async (_name, open) => {
    const quarry = createClientWithResponse('http://quarry.test', 200, '<!doctype html>');
    await expect(open(quarry).next()).rejects.toMatchObject({
      code: 'unexpected_answer',
      detail: expect.stringMatching(
        /^expected an event stream of Quarry, .*<!doctype html>.* does not end with \/api/,
      ) as unknown,
    });
  },
);

it.each(STREAMS)('%s throws an error that names the base URL if no server listens there', async (_name, open) => {
  const quarry = createClient({ baseUrl: 'http://127.0.0.1:1/api', apiKey: 'qk_1' });
  await expect(open(quarry).next()).rejects.toThrow(/Expected Quarry at http:\/\/127\.0\.0\.1:1\/api/);
});

it.each([
  ['a web page with status 200', 200, '<!doctype html>', 'unexpected_answer'],
  ['an error page with status 502', 502, '<h1>Bad gateway</h1>', 'unexpected_answer'],
  ['the error for an unknown route', 404, UNKNOWN_ROUTE, 'not_found'],
])(
  'if the response is %s, the error contains the hint that the base URL lacks /api',
  async (_name, status, body, code) => {
    const asked = createClientWithResponse('http://quarry.test', status, body).listAgents();
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(QuarryError);
    expect(error).toMatchObject({ status, code, detail: expect.stringContaining(HINT) as unknown });
  },
);

it.each([
  ['http://quarry.test/api/', 502, '<h1>Bad gateway</h1>'],
  ['http://quarry.test', 404, UNKNOWN_AGENT],
])(
  'the error of a request to %s contains no hint about the base URL if a wrong base URL is not the cause of the error',
  async (baseUrl, status, body) => {
    await expect(createClientWithResponse(baseUrl, status, body).getAgent('a1')).rejects.toSatisfy(
      (error) => error instanceof QuarryError && !error.detail.includes('does not end with'),
    );
  },
);
