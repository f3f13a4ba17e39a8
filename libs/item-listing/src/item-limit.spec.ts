import { expect, it } from 'vitest';
import { ItemLimit } from './item-limit.js';
import { FakeListing } from './testing/fake-listing.js';

const query = { take: 100, skip: 0, modifiedAfter: '' };
const createPage = (totalCount: number, items: number) =>
  new FakeListing([]).buildPage(query, Array.from({ length: items }), totalCount);

it('an item limit is twice the number of all items plus 20,000 if a scan finds many more items than `total_count` of its first page', async () => {
  const requested: unknown[] = [];
  const limit = new ItemLimit(async (request) => {
    requested.push(request);
    return createPage(30_000, 1);
  });
  await limit.countItems(100, createPage(120, 100));
  await limit.countItems(20_140, createPage(120, 100));
  expect(requested).toEqual([]);
  await limit.countItems(1, createPage(120, 100));
  await limit.countItems(59_759, createPage(120, 100));
  await expect(limit.countItems(1, createPage(120, 100))).rejects.toMatchObject({
    code: 'listing_endless',
    message: expect.stringContaining('expected 30000 items according to total_count, found 80001 without') as string,
  });
  expect(requested).toEqual([{ take: 1, skip: 0, modifiedAfter: '' }]);
});

it.each([
  ['0', 0],
  ['the number of items on the page', 1],
])('an item limit is 1,000,000 items for a listing whose `total_count` is %s', async (_, totalCount) => {
  const limit = new ItemLimit(async () => createPage(totalCount, 1));
  const page = createPage(100 * totalCount, 100);
  await limit.countItems(1_000_000, page);
  await expect(limit.countItems(1, page)).rejects.toMatchObject({
    code: 'listing_endless',
    message: expect.stringContaining(
      'expected at most 1000000 items, because total_count is not the number of all items, found 1000001 without',
    ) as string,
  });
});
