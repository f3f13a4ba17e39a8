import type { ListedItem } from '@quarry/item-listing';
import { type Page, buildSyncParameters } from '../endpoint.js';
import { createRule, type Rule, createFailedVerdict, PASSED, createSkippedVerdict, type Verdict } from '../rule.js';

const SAME_DATES = createSkippedVerdict('needs items with different dates');

function listDates(items: readonly ListedItem[]): readonly string[] {
  return items.flatMap(({ modified }) => modified ?? []);
}

function hasSeveralDates(items: readonly ListedItem[]): boolean {
  return new Set(listDates(items)).size > 1;
}

function checkDateOrder({ items, request }: Page, isWrong: (a: string, b: string) => boolean): Verdict {
  const dates = listDates(items);
  const misplaced = dates.findIndex((date, index) => index > 0 && isWrong(String(dates[index - 1]), date));
  return misplaced === -1
    ? PASSED
    : createFailedVerdict(`${String(dates[misplaced - 1])} comes before ${String(dates[misplaced])}`, request);
}

export const orderingRules: readonly Rule[] = [
  createRule('order=ASC&order_by=date_modified,id starts with the oldest item', async (endpoint, { items }) => {
    if (!hasSeveralDates(items)) return SAME_DATES;
    return checkDateOrder(await endpoint.request(...buildSyncParameters({ take: 100 })), (a, b) => a > b);
  }),
  createRule(
    'order=DESC&order_by=date_modified,id starts with the latest item',
    async (endpoint, { items, isWhole }) => {
      if (!hasSeveralDates(items)) return SAME_DATES;
      const answer = await endpoint.request('take=100', 'skip=0', 'order=DESC', 'order_by=date_modified,id');
      const latest = listDates(items).reduce((a, b) => (a > b ? a : b));
      const [first] = listDates(answer.items);
      if (isWhole && first !== latest)
        return createFailedVerdict(`expected the first date ${latest}, found ${String(first)}`, answer.request);
      return checkDateOrder(answer, (a, b) => a < b);
    },
  ),
  createRule('items with the same date have the same order on every page', async (endpoint, { items }) => {
    const firstOfTie = items.findIndex(
      (item, index) => item.modified !== undefined && item.modified === items[index + 1]?.modified,
    );
    if (firstOfTie === -1) return createSkippedVerdict('needs two items with the same date');
    const first = await endpoint.request(...buildSyncParameters({ take: 1, skip: firstOfTie }));
    const second = await endpoint.request(...buildSyncParameters({ take: 1, skip: firstOfTie + 1 }));
    const [a, b] = [first.items[0]?.documentKey, second.items[0]?.documentKey];
    return a === b ? createFailedVerdict(`${String(a)} occurs at two positions`, second.request) : PASSED;
  }),
];
