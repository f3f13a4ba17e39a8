import { syncParameters } from '../endpoint.js';
import { rule, type Rule, failed, PASSED, skipped } from '../rule.js';

const TOO_FEW_ITEMS = skipped('needs at least 4 items');

const keysOf = (items: readonly { readonly documentKey: string }[]): readonly string[] =>
  items.map(({ documentKey }) => documentKey);

function findDifference(found: readonly string[], expected: readonly string[]): string | undefined {
  const position = expected.findIndex((key, index) => found[index] !== key);
  if (position !== -1)
    return `${found[position] ?? 'nothing'}, not ${String(expected[position])}, at position ${position + 1}`;
  return found.length === expected.length ? undefined : `${found.length} items, not ${expected.length}`;
}

export const pagingRules: readonly Rule[] = [
  rule('take is the number of items in a response', async (endpoint, { items }) => {
    if (items.length < 4) return TOO_FEW_ITEMS;
    const answer = await endpoint.request(...syncParameters({ take: 3 }));
    return answer.items.length === 3 ? PASSED : failed(`${answer.items.length} items`, answer.request);
  }),
  rule('skip continues after the previous page', async (endpoint, { items }) => {
    if (items.length < 4) return TOO_FEW_ITEMS;
    const half = Math.min(50, Math.floor(items.length / 2));
    const both = await endpoint.request(...syncParameters({ take: half * 2 }));
    const second = await endpoint.request(...syncParameters({ take: half, skip: half }));
    const difference = findDifference(keysOf(second.items), keysOf(both.items).slice(half));
    return difference === undefined ? PASSED : failed(difference, second.request);
  }),
  rule('a page after the last item is empty', async (endpoint, { totalCount }) => {
    const answer = await endpoint.request(...syncParameters({ take: 10, skip: totalCount + 10 }));
    return answer.items.length === 0 ? PASSED : failed(`${answer.items.length} items`, answer.request);
  }),
  rule(
    'total_count is the number of all items, on each page',
    async (endpoint, { items, isWhole, totalCount, request }) => {
      if (isWhole && totalCount !== items.length)
        return failed(`total_count is ${totalCount}, but ${items.length} items were read`, request);
      const answer = await endpoint.request(...syncParameters({ take: 1, skip: Math.floor(items.length / 2) }));
      if (answer.totalCount !== totalCount)
        return failed(`total_count is ${answer.totalCount}, not ${totalCount}`, answer.request);
      return isWhole ? PASSED : skipped(`only the first ${items.length} items were read`);
    },
  ),
];
