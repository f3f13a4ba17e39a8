import { describe, expect, it } from 'vitest';
import { createProviderFetch } from './provider-fetch.js';

const OPTIONS = { headers: {}, timeoutMs: 60_000, signal: undefined, maxBytes: 10 };
const respond = (body: string, status = 200) =>
  createProviderFetch(() => Promise.resolve(new Response(body, { status })), OPTIONS)('http://127.0.0.1:9/');

describe('createProviderFetch', () => {
  it('the fetch function of a provider returns a response that has exactly the maximum size', async () => {
    expect(await (await respond('[1,2,3,45]')).json()).toEqual([1, 2, 3, 45]);
  });

  it('if a response exceeds the maximum size, reading its body from the fetch function of a provider fails', async () => {
    await expect((await respond('[1,2,3,456]')).json()).rejects.toThrow('at most 10 bytes');
  });

  it('the fetch function of a provider returns the beginning of a long error response', async () => {
    const text = await (await respond('x'.repeat(1_000_000), 500)).text();
    expect(text).toMatch(/^x+$/);
    expect(text.length).toBeLessThan(100_000);
  });
});
