import { buildSyncParameters } from '../endpoint.js';
import { createRule, type Rule, createFailedVerdict, PASSED, createSkippedVerdict } from '../rule.js';

const TOO_FEW_ITEMS = createSkippedVerdict('needs at least 4 items');

const listKeys = (items: readonly { readonly documentKey: string }[]): readonly string[] =>
  items.map(({ documentKey }) => documentKey);

function describeFirstDifference(found: readonly string[], expected: readonly string[]): string | undefined {
  const position = expected.findIndex((key, index) => found[index] !== key);
  if (position !== -1)
    return `expected ${String(expected[position])} at position ${position + 1}, found ${found[position] ?? 'nothing'}`;
  return found.length === expected.length ? undefined : `expected ${expected.length} items, found ${found.length}`;
}

export const pagingRules: readonly Rule[] = [
  createRule('take is the number of items in a response', async (endpoint, { items }) => {
    if (items.length < 4) return TOO_FEW_ITEMS;
    const answer = await endpoint.request(...buildSyncParameters({ take: 3 }));
    const found = answer.items.length;
    return found === 3 ? PASSED : createFailedVerdict(`expected 3 items, found ${found}`, answer.request);
  }),
  createRule('skip continues after the previous page', async (endpoint, { items }) => {
    if (items.length < 4) return TOO_FEW_ITEMS;
    const half = Math.min(50, Math.floor(items.length / 2));
    const both = await endpoint.request(...buildSyncParameters({ take: half * 2 }));
    const second = await endpoint.request(...buildSyncParameters({ take: half, skip: half }));
    const difference = describeFirstDifference(listKeys(second.items), listKeys(both.items).slice(half));
    return difference === undefined ? PASSED : createFailedVerdict(difference, second.request);
  }),
  createRule('a page after the last item is empty', async (endpoint, { totalCount }) => {
    const answer = await endpoint.request(...buildSyncParameters({ take: 10, skip: totalCount + 10 }));
    const found = answer.items.length;
    return found === 0 ? PASSED : createFailedVerdict(`expected no items, found ${found}`, answer.request);
  }),
  createRule(
    'total_count is the number of all items, on each page',
    async (endpoint, { items, count, isWhole, totalCount, request }) => {
      const readCount = count.size + count.sharing;
      if (isWhole && totalCount !== readCount)
        return createFailedVerdict(`total_count is ${totalCount}, but ${readCount} items were read`, request);
      const answer = await endpoint.request(...buildSyncParameters({ take: 1, skip: Math.floor(items.length / 2) }));
      if (answer.totalCount !== totalCount)
        return createFailedVerdict(`expected total_count ${totalCount}, found ${answer.totalCount}`, answer.request);
      return isWhole ? PASSED : createSkippedVerdict(`only the first ${items.length} items were read`);
    },
  ),
];
