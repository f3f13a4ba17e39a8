import { createClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { createObservedFetch, isUnreachableError } from './create-observed-fetch.js';

const API = 'https://example.org/quarry/api';

async function sendAndListEvents(path: string, method: string, outcome: Response | Error): Promise<readonly string[]> {
  const events: string[] = [];
  const observed = createObservedFetch(
    async () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)),
    { onSignedOut: () => events.push('signed out'), onUnreachable: () => events.push('unreachable') },
  );
  const settled = observed(`${API}${path}`, { method });
  if (outcome instanceof Error) await expect(settled).rejects.toBe(outcome);
  else expect(await settled).toBe(outcome);
  return events;
}

const createBadGateway = () =>
  new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
const createProxyJson = () => Response.json({ message: 'name resolution failed' }, { status: 503 });
const createProblem = () =>
  Response.json(
    { status: 503, code: 'dependency_unavailable', title: 'Unavailable', detail: 'The queue is unavailable.' },
    { status: 503, headers: { 'content-type': 'application/problem+json' } },
  );

describe('createObservedFetch', () => {
  it('createObservedFetch reports the end of the session for a response with the status 401', async () => {
    expect(await sendAndListEvents('/agents/1/query', 'POST', new Response(null, { status: 401 }))).toEqual([
      'signed out',
    ]);
    expect(await sendAndListEvents('/session', 'GET', new Response(null, { status: 401 }))).toEqual(['signed out']);
  });

  it('createObservedFetch reports no end of the session for a failed sign-in or for a response with a status other than 401', async () => {
    expect(await sendAndListEvents('/session', 'POST', new Response(null, { status: 401 }))).toEqual([]);
    expect(await sendAndListEvents('/agents', 'GET', new Response(null, { status: 403 }))).toEqual([]);
    expect(await sendAndListEvents('/agents', 'GET', new Response('[]'))).toEqual([]);
  });

  it('createObservedFetch reports the server as unreachable after a failed fetch, but not after an aborted request', async () => {
    expect(await sendAndListEvents('/agents', 'GET', new TypeError('Failed to fetch'))).toEqual(['unreachable']);
    expect(await sendAndListEvents('/agents', 'GET', new DOMException('stopped', 'AbortError'))).toEqual([]);
  });

  it('createObservedFetch reports the server as unreachable after an error response of a proxy, but not after an error of Quarry', async () => {
    expect(await sendAndListEvents('/agents', 'GET', createBadGateway())).toEqual(['unreachable']);
    expect(await sendAndListEvents('/agents', 'GET', createProxyJson())).toEqual(['unreachable']);
    expect(await sendAndListEvents('/agents', 'GET', createProblem())).toEqual([]);
  });
});

describe('isUnreachableError', () => {
  it.each([
    ['the error page of a proxy', true, createBadGateway],
    ['a JSON error of a proxy', true, createProxyJson],
    ['an error of Quarry', false, createProblem],
    ['a page that limits the size of requests', false, () => new Response('<h1>Too large</h1>', { status: 413 })],
    ['an unexpected page', false, () => new Response('<h1>Hello</h1>')],
  ])('for the error of the API client after %s, isUnreachableError returns %s', async (_answer, expected, respond) => {
    const client = createClient({ baseUrl: API, fetch: async () => Promise.resolve(respond()) });
    const error: unknown = await client.getSession().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(isUnreachableError(error)).toBe(expected);
  });
});
