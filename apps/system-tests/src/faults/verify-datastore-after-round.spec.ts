import { createClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { Customer } from './customer.js';
import { verifyDistinctDocumentKeys } from './verify-datastore-after-round.js';

/** Creates a customer whose list of documents has these keys, with two keys per page. */
function createCustomer(keys: readonly string[]): Customer {
  const connect = () =>
    createClient({
      baseUrl: 'http://quarry.example/api',
      apiKey: 'qk_1',
      fetch: (input) => {
        const start = Number(new URL(new Request(input).url).searchParams.get('cursor'));
        const items = keys.slice(start, start + 2).map((documentKey) => ({ documentKey }));
        const next = start + 2 < keys.length ? String(start + 2) : null;
        return Promise.resolve(Response.json({ items, next_cursor: next }));
      },
    });
  return new Customer({ connect, verifyAlive: () => undefined });
}

describe('verifyDistinctDocumentKeys', () => {
  it('verifyDistinctDocumentKeys accepts documents whose keys differ', async () => {
    const customer = createCustomer(['a', 'b', 'c', 'd', 'e']);
    await expect(verifyDistinctDocumentKeys({ customer }, 'd1')).resolves.toBeUndefined();
  });

  it('verifyDistinctDocumentKeys reports a key that occurs again on a later page of the list', async () => {
    const customer = createCustomer(['a', 'b', 'c', 'd', 'a']);
    await expect(verifyDistinctDocumentKeys({ customer }, 'd1')).rejects.toThrow(
      'expected distinct document keys in d1',
    );
  });
});
