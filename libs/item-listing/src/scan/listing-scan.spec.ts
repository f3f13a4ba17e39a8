import { describe, expect, it } from 'vitest';
import type { ListingPage } from '../listing/listing-page.js';
import type { ListingQuery } from '../listing/listing-query.js';
import { at, fakeItem, fakeItems, FakeListing } from '../testing/fake-listing.js';
import { ListingScan, type ReadPage } from './listing-scan.js';

interface Scanned {
  readonly keys: readonly string[];
  readonly scan: ListingScan;
}

async function scanned(read: ReadPage, options: { take?: number; modifiedAfter?: string } = {}): Promise<Scanned> {
  const scan = new ListingScan(read, { take: 10, modifiedAfter: '', now: () => new Date(), ...options });
  const keys = new Set<string>();
  for (let page = await scan.next(); page !== undefined; page = await scan.next()) {
    for (const item of page.items) keys.add(item.documentKey);
  }
  return { keys: [...keys], scan };
}

const keysOf = (items: readonly { readonly id: string | number }[]): readonly string[] =>
  items.map(({ id }) => `item:${id}`);

describe('scanning a listing', () => {
  it('takes one request for what fits on one page', async () => {
    const listing = new FakeListing(fakeItems(9));
    const { keys, scan } = await scanned(listing.read);
    expect(keys).toHaveLength(9);
    expect(listing.queries).toEqual([{ take: 10, skip: 0, modifiedAfter: '' }]);
    expect(scan.goesOnAfter).toBe(at(7));
  });

  it('reads an empty listing', async () => {
    const { keys, scan } = await scanned(new FakeListing([]).read, { modifiedAfter: at(5) });
    expect(keys).toEqual([]);
    expect(scan.goesOnAfter).toBe(at(5));
  });

  it('begins each page just before the last date that it has seen', async () => {
    const items = fakeItems(25);
    const listing = new FakeListing(items);
    expect((await scanned(listing.read)).keys).toEqual(keysOf(items));
    expect(listing.queries.map(({ skip, modifiedAfter }) => [skip, modifiedAfter])).toEqual([
      [0, ''],
      [0, at(8)],
      [0, at(17)],
    ]);
  });

  it('skips, with an overlap of one, where more items than a page have one date', async () => {
    const items = fakeItems(40, (index) => Math.min(5, index));
    const listing = new FakeListing(items);
    expect((await scanned(listing.read)).keys).toEqual(keysOf(items));
    expect(listing.queries.map(({ skip, modifiedAfter }) => [skip, modifiedAfter])).toEqual([
      [0, ''],
      [0, at(4)],
      [9, at(4)],
      [18, at(4)],
      [27, at(4)],
    ]);
  });

  it('misses nothing when items move up between two pages of one date', async () => {
    const items = fakeItems(40, () => 5);
    const listing = new FakeListing(items);
    const { keys } = await scanned(async (query) => {
      const page = listing.answer(query);
      if (query.skip === 9) listing.items = items.slice(3);
      return page;
    });
    expect(keys).toEqual(keysOf(items));
  });

  it('misses nothing when so many go that the next page is empty', async () => {
    const items = fakeItems(22, () => 5);
    const listing = new FakeListing(items);
    const { keys } = await scanned(async (query) => {
      const page = listing.answer(query);
      if (query.skip === 9) listing.items = items.slice(17);
      return page;
    });
    expect(keys).toEqual(keysOf(items));
  });

  it('does not take an item that has moved to the end for the one it was', async () => {
    const items = fakeItems(25, () => 5);
    const listing = new FakeListing(items);
    const { keys } = await scanned(async (query) => {
      const page = listing.answer(query);
      if (query.skip === 9) listing.items = fakeItems(25, (index) => (index < 9 ? 6 : 5));
      return page;
    });
    expect(keys).toEqual(keysOf(items));
  });

  it.each([
    ['answers fewer items than it is asked for', (query: ListingQuery) => ({ ...query, take: 3 })],
    ['answers more items than it is asked for', (query: ListingQuery) => ({ ...query, take: 17 })],
  ])('reads all of a listing that %s', async (_, changed) => {
    const items = fakeItems(60, (index) => Math.floor(index / 20));
    const listing = new FakeListing(items);
    const { keys } = await scanned(async (query) => listing.answer(changed(query)));
    expect(keys).toEqual(keysOf(items));
  });

  it.each([
    ['all items', (page: ListingPage) => ({ ...page, totalCount: 60 })],
    ['the items of the page', (page: ListingPage) => ({ ...page, totalCount: page.items.length })],
    ['nothing', (page: ListingPage) => ({ ...page, totalCount: 0 })],
  ])('reads all of a listing whose total_count counts %s', async (_, changed) => {
    const items = fakeItems(60, (index) => Math.floor(index / 7));
    const listing = new FakeListing(items);
    const { keys } = await scanned(async (query) => changed(listing.answer(query)));
    expect(keys).toEqual(keysOf(items));
  });

  it('goes on by skipping where dates cannot be used, wherever such items stand', async () => {
    const wrong = Array.from({ length: 35 }, (_, index) => ({ id: index, title: 'x', date_modified: 'yesterday' }));
    const listing = new FakeListing([]);
    const { keys } = await scanned(async (query) => {
      const all = [...fakeItems(15).filter((item) => item.date_modified > query.modifiedAfter), ...wrong];
      return listing.page(query, all.slice(query.skip, query.skip + query.take), all.length);
    });
    expect(keys).toHaveLength(50);
  });

  it('lets an item of the very date through, which databases with finer times answer', async () => {
    const listing = new FakeListing(fakeItems(25));
    const reads = scanned(async (query) => {
      const page = listing.answer(query);
      const edge = query.modifiedAfter === '' ? [] : [{ ...fakeItem('edge', 0), date_modified: query.modifiedAfter }];
      return { ...page, items: [...edge, ...page.items] };
    });
    expect((await reads).keys).toHaveLength(26);
  });
});

describe('a listing that breaks the contract', () => {
  const items = fakeItems(60, (index) => Math.floor(index / 20));
  const listing = new FakeListing(items);

  it('by ignoring the order is told so, with both items', async () => {
    const turned = async (query: ListingQuery): Promise<ListingPage> => {
      const page = listing.answer(query);
      return { ...page, items: [...page.items].reverse() };
    };
    await expect(scanned(turned, { take: 30 })).rejects.toMatchObject({
      code: 'listing_wrong_order',
      message: expect.stringMatching(
        /found item i00020 of 2026-01-01T00:00:00\.001Z before item i00019 of 2026-01-01T00:00:00\.000Z \(GET http/,
      ) as string,
    });
  });

  it('by ignoring modified_after is told so, with the request', async () => {
    const deaf = async (query: ListingQuery): Promise<ListingPage> =>
      listing.page(query, items.slice(query.skip, query.skip + query.take), items.length);
    await expect(scanned(deaf, { modifiedAfter: at(1) })).rejects.toMatchObject({
      code: 'listing_filter_ignored',
      message: `expected only items modified after ${at(1)}, found item i00000 of ${at(0)} (GET http://shop.example/items?take=10&skip=0&order=ASC&order_by=date_modified,id&modified_after=${at(1)})`,
    });
  });

  it('by ignoring skip is told so', async () => {
    const deaf = async (query: ListingQuery): Promise<ListingPage> => listing.answer({ ...query, skip: 0 });
    await expect(scanned(deaf)).rejects.toMatchObject({
      code: 'listing_pages_repeat',
      message: expect.stringMatching(/found 10 items again and again \(GET .*skip=/) as string,
    });
  });

  it('by answering two pages in turn is told so', async () => {
    const turns = async (query: ListingQuery): Promise<ListingPage> => ({
      ...listing.answer({ ...query, skip: (query.skip % 2) * 5, take: 6 }),
      totalCount: 1e9,
    });
    await expect(scanned(turns)).rejects.toMatchObject({ code: 'listing_pages_repeat' });
  });

  it.each([
    ['a total_count that grows', (read: number) => read + 1_000],
    ['a total_count that says little', () => 5],
  ])('by having no end, under %s, is told so', async (_, totalCount) => {
    let made = 0;
    const endless = async (query: ListingQuery): Promise<ListingPage> => {
      const made10 = Array.from({ length: 10 }, () => fakeItem((made += 1), made));
      return listing.page(query, made10, totalCount(made));
    };
    await expect(scanned(endless)).rejects.toMatchObject({
      code: 'listing_endless',
      message: expect.stringMatching(/expected \d+ items as total_count said, found \d+ and no end \(GET /) as string,
    });
  });

  it('says that it has items, and shows none', async () => {
    const empty = (totalCount: number) => async (query: ListingQuery) =>
      new FakeListing([]).page(query, [], totalCount);
    await expect(scanned(empty(30))).rejects.toMatchObject({
      code: 'listing_shows_nothing',
      message: expect.stringContaining(
        'expected the first of 30 items, as total_count says, found none (GET ',
      ) as string,
    });
    await expect(scanned(empty(0))).resolves.toBeDefined();
  });
});
