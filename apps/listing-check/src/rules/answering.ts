import { inOrder } from '../in-order.js';
import { rule, type Rule } from '../rule.js';
import { broken, KEPT, untold } from '../rule-verdict.js';

const SLOW_MS = 30_000;

const ids = (items: readonly { readonly documentKey: string }[]): string =>
  items.map(({ documentKey }) => documentKey).join();

export const answering: readonly Rule[] = [
  rule('take alone is enough of a request', async (endpoint) => {
    await endpoint.ask('take=1');
    return KEPT;
  }),
  rule('take and skip are enough of a request', async (endpoint) => {
    await endpoint.ask('take=1', 'skip=1');
    return KEPT;
  }),
  rule('order and order_by are enough of a request', async (endpoint) => {
    await endpoint.ask('order=ASC', 'order_by=date_modified,id');
    return KEPT;
  }),
  rule('modified_after is enough of a request', async (endpoint) => {
    await endpoint.ask('modified_after=2000-01-01T00:00:00.000Z');
    return KEPT;
  }),
  rule('the same request has the same answer, whatever _nonce says', async (endpoint) => {
    const parameters = inOrder({ take: 20 });
    const [first, second] = [await endpoint.ask(...parameters), await endpoint.ask(...parameters)];
    return ids(first.items) === ids(second.items) ? KEPT : broken('other items the second time', second.request);
  }),
  rule(`each answer comes within ${SLOW_MS / 1_000} seconds`, (endpoint, { items, request }) => {
    if (items.length === 0) return untold('the listing is empty');
    const ms = Math.round(endpoint.slowestMs());
    return ms <= SLOW_MS ? KEPT : broken(`an answer after ${ms} ms`, request);
  }),
];
