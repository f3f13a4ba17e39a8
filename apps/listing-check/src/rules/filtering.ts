import { subtractMillisecond, type ListedItem } from '@quarry/item-listing';
import { type Endpoint, buildSyncParameters } from '../endpoint.js';
import { createRule, type Rule, createFailedVerdict, PASSED, createSkippedVerdict, type Verdict } from '../rule.js';
import type { Sample } from '../read-sample.js';

const NO_DATES = createSkippedVerdict('no item has a valid date');

/** Returns the median of the distinct modification dates of the items; undefined if no item has a date. */
function findMedianDate({ items }: Sample): string | undefined {
  const dates = [...new Set(items.flatMap(({ modified }) => modified ?? []))].sort();
  return dates[Math.floor((dates.length - 1) / 2)];
}

function describeItem(item: ListedItem): string {
  return `item ${item.id ?? 'without an id'} of ${item.modified ?? 'no valid date'}`;
}

/** Runs a check with the median of the items' modification dates. Skips the check if no item has a date. */
async function checkWithMedianDate(sample: Sample, check: (date: string) => Promise<Verdict>): Promise<Verdict> {
  const date = findMedianDate(sample);
  return date === undefined ? NO_DATES : check(date);
}

/** Checks that a response contains no item modified at or before a date. */
async function checkItemsAreNewer(endpoint: Endpoint, parameters: readonly string[], date: string): Promise<Verdict> {
  const answer = await endpoint.request(...parameters);
  const older = answer.items.find(({ modified }) => modified !== undefined && modified <= date);
  return older === undefined ? PASSED : createFailedVerdict(describeItem(older), answer.request);
}

export const filteringRules: readonly Rule[] = [
  createRule('modified_after=1970-01-01T00:00:00.000Z selects every item', async (endpoint) => {
    const all = await endpoint.request('take=1');
    const filtered = await endpoint.request(...buildSyncParameters({ take: 1 }));
    if (filtered.totalCount === all.totalCount) return PASSED;
    const found = `total_count is ${filtered.totalCount}, but ${all.totalCount} without modified_after`;
    const advice = 'Each item needs a date_modified after 1970: the first request of a sync sends this date';
    return createFailedVerdict(`${found}\n${advice}`, filtered.request);
  }),
  createRule('modified_after excludes items modified at or before its date', (endpoint, sample) =>
    checkWithMedianDate(sample, (date) =>
      checkItemsAreNewer(endpoint, buildSyncParameters({ take: 100, after: date }), date),
    ),
  ),
  createRule('modified_after has the same effect without other parameters', (endpoint, sample) =>
    checkWithMedianDate(sample, (date) => checkItemsAreNewer(endpoint, [`modified_after=${date}`], date)),
  ),
  createRule(
    'modified_after has a resolution of milliseconds: one millisecond before a date selects its items',
    (endpoint, sample) =>
      checkWithMedianDate(sample, async (date) => {
        const answer = await endpoint.request(...buildSyncParameters({ take: 100, after: subtractMillisecond(date) }));
        const [expected] = sample.items.filter(({ modified }) => modified === date);
        const isThere = answer.items.some(({ documentKey }) => documentKey === expected?.documentKey);
        return isThere || expected === undefined
          ? PASSED
          : createFailedVerdict(`${describeItem(expected)} is missing`, answer.request);
      }),
  ),
  createRule(
    'modified_after with the date of the latest item selects no items',
    async (endpoint, { items, isWhole }) => {
      if (!isWhole) return createSkippedVerdict(`only the first ${items.length} items were read`);
      const dates = items.flatMap(({ modified }) => modified ?? []);
      if (dates.length === 0) return NO_DATES;
      const latest = dates.reduce((a, b) => (a > b ? a : b));
      return checkItemsAreNewer(endpoint, buildSyncParameters({ take: 100, after: latest }), latest);
    },
  ),
];
