import { describe, expect, it } from 'vitest';
import { createObservedFetch } from './create-observed-fetch.js';

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
});
