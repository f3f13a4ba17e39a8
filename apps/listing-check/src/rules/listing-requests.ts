import { buildSyncParameters } from '../endpoint.js';
import { createRule, type Rule, createFailedVerdict, PASSED, createSkippedVerdict } from '../rule.js';

const MAX_RESPONSE_MS = 30_000;

const joinKeys = (items: readonly { readonly documentKey: string }[]): string =>
  items.map(({ documentKey }) => documentKey).join();

export const requestRules: readonly Rule[] = [
  createRule('a request with take alone is accepted', async (endpoint) => {
    await endpoint.request('take=1');
    return PASSED;
  }),
  createRule('a request with take and skip is accepted', async (endpoint) => {
    await endpoint.request('take=1', 'skip=1');
    return PASSED;
  }),
  createRule('a request with order and order_by is accepted', async (endpoint) => {
    await endpoint.request('order=ASC', 'order_by=date_modified,id');
    return PASSED;
  }),
  createRule('a request with modified_after alone is accepted', async (endpoint) => {
    await endpoint.request('modified_after=2000-01-01T00:00:00.000Z');
    return PASSED;
  }),
  createRule('the same request returns the same items for any _nonce', async (endpoint) => {
    const parameters = buildSyncParameters({ take: 20 });
    const [first, second] = [await endpoint.request(...parameters), await endpoint.request(...parameters)];
    return joinKeys(first.items) === joinKeys(second.items)
      ? PASSED
      : createFailedVerdict('the second response contains different items than the first', second.request);
  }),
  createRule(`each response arrives within ${MAX_RESPONSE_MS / 1_000} seconds`, (endpoint, { items, request }) => {
    if (items.length === 0) return createSkippedVerdict('the listing is empty');
    const ms = Math.round(endpoint.getSlowestMs());
    return ms <= MAX_RESPONSE_MS ? PASSED : createFailedVerdict(`a response took ${ms} ms`, request);
  }),
];
