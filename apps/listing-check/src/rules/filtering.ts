import { justBefore, type ListedItem } from '@quarry/item-listing';
import type { Endpoint } from '../endpoint.js';
import { inOrder } from '../in-order.js';
import { rule, type Rule } from '../rule.js';
import type { Sample } from '../take-sample.js';
import { broken, KEPT, untold, type Verdict } from '../rule-verdict.js';

const NO_DATES = untold('no item has a valid date');

/** The date in the middle of those that were read. */
function middleDate({ items }: Sample): string | undefined {
  const dates = [...new Set(items.flatMap(({ modified }) => modified ?? []))].sort();
  return dates[Math.floor((dates.length - 1) / 2)];
}

function named(item: ListedItem): string {
  return `item ${item.id ?? 'without an id'} of ${item.modified ?? 'no valid date'}`;
}

async function withDate(sample: Sample, check: (date: string) => Promise<Verdict>): Promise<Verdict> {
  const date = middleDate(sample);
  return date === undefined ? NO_DATES : check(date);
}

async function laterOnly(endpoint: Endpoint, parameters: readonly string[], date: string): Promise<Verdict> {
  const answer = await endpoint.ask(...parameters);
  const older = answer.items.find(({ modified }) => modified !== undefined && modified <= date);
  return older === undefined ? KEPT : broken(named(older), answer.request);
}

export const filtering: readonly Rule[] = [
  rule('modified_after=1970-01-01T00:00:00.000Z asks for every item', async (endpoint) => {
    const all = await endpoint.ask('take=1');
    const asked = await endpoint.ask(...inOrder({ take: 1 }));
    if (asked.totalCount === all.totalCount) return KEPT;
    const found = `total_count ${asked.totalCount}, and ${all.totalCount} without modified_after`;
    const advice = 'Each item needs a date_modified after 1970: the first request of a sync sends this date';
    return broken(`${found}\n${advice}`, asked.request);
  }),
  rule('modified_after leaves out what is older, and an exact match', (endpoint, sample) =>
    withDate(sample, (date) => laterOnly(endpoint, inOrder({ take: 100, after: date }), date)),
  ),
  rule('modified_after does so by itself, too', (endpoint, sample) =>
    withDate(sample, (date) => laterOnly(endpoint, [`modified_after=${date}`], date)),
  ),
  rule('modified_after counts in milliseconds: one before a date, its items are answered', (endpoint, sample) =>
    withDate(sample, async (date) => {
      const answer = await endpoint.ask(...inOrder({ take: 100, after: justBefore(date) }));
      const [expected] = sample.items.filter(({ modified }) => modified === date);
      const isThere = answer.items.some(({ documentKey }) => documentKey === expected?.documentKey);
      return isThere || expected === undefined ? KEPT : broken(`no ${named(expected)}`, answer.request);
    }),
  ),
  rule('nothing is later than the latest item', async (endpoint, { items, whole }) => {
    if (!whole) return untold(`only the first ${items.length} items were read`);
    const dates = items.flatMap(({ modified }) => modified ?? []);
    if (dates.length === 0) return NO_DATES;
    const latest = dates.reduce((a, b) => (a > b ? a : b));
    return laterOnly(endpoint, inOrder({ take: 100, after: latest }), latest);
  }),
];
