import { describe, expect, it } from 'vitest';
import { createClient } from './client.js';

/** Creates a client whose requests are recorded. Each response is `{}`, or has no body for DELETE. */
function createRecordingClient(apiKey?: string): {
  client: ReturnType<typeof createClient>;
  sent: Request[];
  modes: unknown[];
} {
  const sent: Request[] = [];
  const modes: unknown[] = [];
  const client = createClient({
    baseUrl: 'https://quarry.example/prefix/api',
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: (input, init) => {
      sent.push(new Request(input, init));
      modes.push(init?.credentials);
      return Promise.resolve(init?.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({}));
    },
  });
  return { client, sent, modes };
}

describe('the credentials of a client', () => {
  it('a client without an API key sends cookies only to the origin of its page, and sends no `Authorization` header', async () => {
    const { client, sent, modes } = createRecordingClient();
    await client.startSession({ code: 'abc' });
    await client.getSession();
    await client.endSession();
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://quarry.example/prefix/api/session',
      'GET https://quarry.example/prefix/api/session',
      'DELETE https://quarry.example/prefix/api/session',
    ]);
    expect(await sent[0]?.json()).toEqual({ code: 'abc' });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null, null, null]);
    expect(modes).toEqual(['same-origin', 'same-origin', 'same-origin']);
  });

  it('a client with an API key sends the key, and no cookie', async () => {
    const { client, sent, modes } = createRecordingClient('qk_key');
    await client.createSignInCode();
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer qk_key');
    expect(modes).toEqual(['omit']);
  });

  it('a client calls the global `fetch` as a function, because browsers throw if `fetch` is called as a method', async () => {
    const original = globalThis.fetch;
    globalThis.fetch = async function refuseMethodCall(this: unknown) {
      if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation');
      return Promise.resolve(Response.json({ items: [] }));
    };
    try {
      await expect(createClient({ baseUrl: 'https://quarry.example/api' }).listAgents()).resolves.toEqual({
        items: [],
      });
    } finally {
      globalThis.fetch = original;
    }
  });
});
