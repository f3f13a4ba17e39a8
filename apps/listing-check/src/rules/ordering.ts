import type { ListedItem } from '@quarry/item-listing';
import type { Answer } from '../endpoint.js';
import { inOrder } from '../in-order.js';
import { rule, type Rule } from '../rule.js';
import { broken, KEPT, untold, type Verdict } from '../rule-verdict.js';

const DATES_ARE_ONE = untold('it takes items of different dates to tell');

function datesOf(items: readonly ListedItem[]): readonly string[] {
  return items.flatMap(({ modified }) => modified ?? []);
}

function hasSeveralDates(items: readonly ListedItem[]): boolean {
  return new Set(datesOf(items)).size > 1;
}

function ordered({ items, request }: Answer, isWrong: (a: string, b: string) => boolean): Verdict {
  const dates = datesOf(items);
  const wrong = dates.findIndex((date, index) => index > 0 && isWrong(String(dates[index - 1]), date));
  return wrong === -1 ? KEPT : broken(`${String(dates[wrong - 1])} before ${String(dates[wrong])}`, request);
}

export const ordering: readonly Rule[] = [
  rule('order=ASC&order_by=date_modified,id begins with the oldest item', async (endpoint, { items }) => {
    if (!hasSeveralDates(items)) return DATES_ARE_ONE;
    return ordered(await endpoint.ask(...inOrder({ take: 100 })), (a, b) => a > b);
  }),
  rule('order=DESC&order_by=date_modified,id begins with the latest item', async (endpoint, { items, whole }) => {
    if (!hasSeveralDates(items)) return DATES_ARE_ONE;
    const answer = await endpoint.ask('take=100', 'skip=0', 'order=DESC', 'order_by=date_modified,id');
    const latest = datesOf(items).reduce((a, b) => (a > b ? a : b));
    const [first] = datesOf(answer.items);
    if (whole && first !== latest) return broken(`${String(first)} first, not ${latest}`, answer.request);
    return ordered(answer, (a, b) => a < b);
  }),
  rule('items of one date are always in the same order, page by page', async (endpoint, { items }) => {
    const tie = items.findIndex(
      (item, index) => item.modified !== undefined && item.modified === items[index + 1]?.modified,
    );
    if (tie === -1) return untold('no two of the items that were read have one date');
    const first = await endpoint.ask(...inOrder({ take: 1, skip: tie }));
    const second = await endpoint.ask(...inOrder({ take: 1, skip: tie + 1 }));
    const [a, b] = [first.items[0]?.documentKey, second.items[0]?.documentKey];
    return a === b ? broken(`${String(a)} in two places`, second.request) : KEPT;
  }),
];
