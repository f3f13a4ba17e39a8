import { inOrder } from '../in-order.js';
import { rule, type Rule } from '../rule.js';
import { broken, KEPT, untold } from '../rule-verdict.js';

const TOO_FEW = untold('it takes at least 4 items to tell');

const keysOf = (items: readonly { readonly documentKey: string }[]): readonly string[] =>
  items.map(({ documentKey }) => documentKey);

function firstDifference(found: readonly string[], expected: readonly string[]): string | undefined {
  const place = expected.findIndex((key, index) => found[index] !== key);
  if (place !== -1) return `${found[place] ?? 'nothing'}, not ${String(expected[place])}, in place ${place + 1}`;
  return found.length === expected.length ? undefined : `${found.length} items, not ${expected.length}`;
}

export const paging: readonly Rule[] = [
  rule('take is how many items are answered', async (endpoint, { items }) => {
    if (items.length < 4) return TOO_FEW;
    const answer = await endpoint.ask(...inOrder({ take: 3 }));
    return answer.items.length === 3 ? KEPT : broken(`${answer.items.length} items`, answer.request);
  }),
  rule('skip goes on where the page before ended', async (endpoint, { items }) => {
    if (items.length < 4) return TOO_FEW;
    const half = Math.min(50, Math.floor(items.length / 2));
    const both = await endpoint.ask(...inOrder({ take: half * 2 }));
    const second = await endpoint.ask(...inOrder({ take: half, skip: half }));
    const difference = firstDifference(keysOf(second.items), keysOf(both.items).slice(half));
    return difference === undefined ? KEPT : broken(difference, second.request);
  }),
  rule('nothing comes after the last item', async (endpoint, { totalCount }) => {
    const answer = await endpoint.ask(...inOrder({ take: 10, skip: totalCount + 10 }));
    return answer.items.length === 0 ? KEPT : broken(`${answer.items.length} items`, answer.request);
  }),
  rule(
    'total_count is the number of all items, on each page',
    async (endpoint, { items, whole, totalCount, request }) => {
      if (whole && totalCount !== items.length)
        return broken(`${totalCount}, though ${items.length} items were read`, request);
      const answer = await endpoint.ask(...inOrder({ take: 1, skip: Math.floor(items.length / 2) }));
      if (answer.totalCount !== totalCount) return broken(`${answer.totalCount}, not ${totalCount}`, answer.request);
      return whole ? KEPT : untold(`only the first ${items.length} items were read`);
    },
  ),
];
