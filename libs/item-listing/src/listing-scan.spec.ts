import { describe, expect, it } from 'vitest';
import type { ListingPage } from './listing-client.js';
import type { ListingQuery } from './listing-request.js';
import {
  formatDateAfter,
  createFakeItem,
  createFakeItems,
  FakeListing,
  type FakeItem,
} from './testing/fake-listing.js';
import { ListingScan, type ReadPage } from './listing-scan.js';

interface ScanResult {
  readonly keys: readonly string[];
  readonly scan: ListingScan;
}

async function scanAll(read: ReadPage, options: { take?: number; modifiedAfter?: string } = {}): Promise<ScanResult> {
  const scan = new ListingScan(read, { take: 10, modifiedAfter: '', now: () => new Date(), ...options });
  const keys = new Set<string>();
  for (let page = await scan.readNextPage(); page !== undefined; page = await scan.readNextPage()) {
    for (const item of page.items) keys.add(item.documentKey);
  }
  return { keys: [...keys], scan };
}

const listKeys = (items: readonly { readonly id: string | number }[]): readonly string[] =>
  items.map(({ id }) => `item:${id}`);

describe('scanning a listing', () => {
  it('a scan makes one request when all items fit on one page', async () => {
    const listing = new FakeListing(createFakeItems(9));
    const { keys, scan } = await scanAll(listing.readPage);
    expect(keys).toHaveLength(9);
    expect(listing.queries).toEqual([{ take: 10, skip: 0, modifiedAfter: '' }]);
    expect(scan.resumeAfter).toBe(formatDateAfter(7));
  });

  it('a scan of an empty listing returns no items, and does not change the date from which a later scan resumes', async () => {
    const { keys, scan } = await scanAll(new FakeListing([]).readPage, { modifiedAfter: formatDateAfter(5) });
    expect(keys).toEqual([]);
    expect(scan.resumeAfter).toBe(formatDateAfter(5));
  });

  it('a scan requests each next page with a `modified_after` that is a millisecond before the last date of the previous page', async () => {
    const items = createFakeItems(25);
    const listing = new FakeListing(items);
    expect((await scanAll(listing.readPage)).keys).toEqual(listKeys(items));
    expect(listing.queries.map(({ skip, modifiedAfter }) => [skip, modifiedAfter])).toEqual([
      [0, ''],
      [0, formatDateAfter(8)],
      [0, formatDateAfter(17)],
    ]);
  });

  it('if the items of one date do not fit on a page, a scan pages through them by `skip`, with an overlap of one item', async () => {
    const items = createFakeItems(40, (index) => Math.min(5, index));
    const listing = new FakeListing(items);
    expect((await scanAll(listing.readPage)).keys).toEqual(listKeys(items));
    expect(listing.queries.map(({ skip, modifiedAfter }) => [skip, modifiedAfter])).toEqual([
      [0, ''],
      [0, formatDateAfter(4)],
      [9, formatDateAfter(4)],
      [18, formatDateAfter(4)],
      [27, formatDateAfter(4)],
    ]);
  });

  it('a scan misses no item when deletions shift items of equal date to an earlier page between two requests', async () => {
    const items = createFakeItems(40, () => 5);
    const listing = new FakeListing(items);
    const { keys } = await scanAll(async (query) => {
      const page = listing.answerQuery(query);
      if (query.skip === 9) listing.items = items.slice(3);
      return page;
    });
    expect(keys).toEqual(listKeys(items));
  });

  it('a scan misses no item when deletions between two requests leave the next page empty', async () => {
    const items = createFakeItems(22, () => 5);
    const listing = new FakeListing(items);
    const { keys } = await scanAll(async (query) => {
      const page = listing.answerQuery(query);
      if (query.skip === 9) listing.items = items.slice(17);
      return page;
    });
    expect(keys).toEqual(listKeys(items));
  });

  it('a scan misses no item when items of earlier pages get a later date between two requests', async () => {
    const items = createFakeItems(25, () => 5);
    const listing = new FakeListing(items);
    const { keys } = await scanAll(async (query) => {
      const page = listing.answerQuery(query);
      if (query.skip === 9) listing.items = createFakeItems(25, (index) => (index < 9 ? 6 : 5));
      return page;
    });
    expect(keys).toEqual(listKeys(items));
  });

  it.each([
    ['returns fewer items than `take`', (query: ListingQuery) => ({ ...query, take: 3 })],
    ['returns more items than `take`', (query: ListingQuery) => ({ ...query, take: 17 })],
  ])('a scan reads all items of a listing that %s', async (_, changed) => {
    const items = createFakeItems(60, (index) => Math.floor(index / 20));
    const listing = new FakeListing(items);
    const { keys } = await scanAll(async (query) => listing.answerQuery(changed(query)));
    expect(keys).toEqual(listKeys(items));
  });

  it.each([
    ['the number of all items', (page: ListingPage) => ({ ...page, totalCount: 60 })],
    ['the number of items on the page', (page: ListingPage) => ({ ...page, totalCount: page.items.length })],
    ['0', (page: ListingPage) => ({ ...page, totalCount: 0 })],
  ])('a scan reads all items of a listing whose `total_count` is %s', async (_, changed) => {
    const items = createFakeItems(60, (index) => Math.floor(index / 7));
    const listing = new FakeListing(items);
    const { keys } = await scanAll(async (query) => changed(listing.answerQuery(query)));
    expect(keys).toEqual(listKeys(items));
  });

  it.each([
    ['the number of items on the page', (items: readonly unknown[]) => items.length],
    ['0', () => 0],
  ])('a scan reads 25,000 items of a listing whose `total_count` is %s', async (_, totalCount) => {
    const items = createFakeItems(25_000);
    const readUncounted = async (query: ListingQuery): Promise<ListingPage> => {
      const first = items.findIndex((item) => item.date_modified > query.modifiedAfter) + query.skip;
      const page = items.slice(first, first + query.take);
      return new FakeListing([]).buildPage(query, page, totalCount(page));
    };
    expect((await scanAll(readUncounted, { take: 1_000 })).keys).toHaveLength(25_000);
  });

  it('a scan reads all items that change while the scan is in progress, even if few items had changed before the scan', async () => {
    let clock = 1_000_000;
    const unchanged = [...createFakeItems(25_000)];
    const changed: FakeItem[] = [];
    const changeItems = (count: number): void => {
      const items = unchanged.splice(0, count);
      changed.push(...items.map(({ id }) => createFakeItem(id, (clock += 1))));
    };
    const scan = scanAll(
      async (query) => {
        changeItems(1_100);
        const first = changed.findIndex((item) => item.date_modified > query.modifiedAfter);
        const matching = query.modifiedAfter === '' ? [...unchanged, ...changed] : changed.slice(first);
        const page = matching.slice(query.skip, query.skip + query.take);
        return new FakeListing([]).buildPage(query, page, matching.length);
      },
      { take: 1_000, modifiedAfter: formatDateAfter(clock) },
    );
    expect((await scan).keys).toHaveLength(25_000);
  });

  it('a scan reads items without a valid date page by page with `skip`', async () => {
    const wrong = Array.from({ length: 35 }, (_, index) => ({ id: index, title: 'x', date_modified: 'yesterday' }));
    const listing = new FakeListing([]);
    const { keys } = await scanAll(async (query) => {
      const all = [...createFakeItems(15).filter((item) => item.date_modified > query.modifiedAfter), ...wrong];
      return listing.buildPage(query, all.slice(query.skip, query.skip + query.take), all.length);
    });
    expect(keys).toHaveLength(50);
  });

  it('a scan accepts items whose date equals `modified_after`, because a database can store more exact times than it returns', async () => {
    const listing = new FakeListing(createFakeItems(25));
    const reads = scanAll(async (query) => {
      const page = listing.answerQuery(query);
      const edge =
        query.modifiedAfter === '' ? [] : [{ ...createFakeItem('edge', 0), date_modified: query.modifiedAfter }];
      return { ...page, items: [...edge, ...page.items] };
    });
    expect((await reads).keys).toHaveLength(26);
  });
});

describe('a listing that violates the contract', () => {
  const items = createFakeItems(60, (index) => Math.floor(index / 20));
  const listing = new FakeListing(items);

  it('if a listing ignores the requested order, the error of the scan names two items in the wrong order', async () => {
    const readReversed = async (query: ListingQuery): Promise<ListingPage> => {
      const page = listing.answerQuery(query);
      return { ...page, items: [...page.items].reverse() };
    };
    await expect(scanAll(readReversed, { take: 30 })).rejects.toMatchObject({
      code: 'listing_wrong_order',
      message: expect.stringMatching(
        /found item i00020 of 2026-01-01T00:00:00\.001Z before item i00019 of 2026-01-01T00:00:00\.000Z \(GET http/,
      ) as string,
    });
  });

  it('if a listing ignores `modified_after`, the error of the scan names an item that is too old, and the request', async () => {
    const readUnfiltered = async (query: ListingQuery): Promise<ListingPage> =>
      listing.buildPage(query, items.slice(query.skip, query.skip + query.take), items.length);
    await expect(scanAll(readUnfiltered, { modifiedAfter: formatDateAfter(1) })).rejects.toMatchObject({
      code: 'listing_filter_ignored',
      message: `expected only items modified after ${formatDateAfter(1)}, found item i00000 of ${formatDateAfter(0)} (GET http://shop.example/items?take=10&skip=0&order=ASC&order_by=date_modified,id&modified_after=${formatDateAfter(1)})`,
    });
  });

  it('a scan throws listing_pages_repeat for a listing that ignores `skip`', async () => {
    const readUnfiltered = async (query: ListingQuery): Promise<ListingPage> =>
      listing.answerQuery({ ...query, skip: 0 });
    await expect(scanAll(readUnfiltered)).rejects.toMatchObject({
      code: 'listing_pages_repeat',
      message: expect.stringMatching(/found 10 items repeatedly \(GET .*skip=/) as string,
    });
  });

  it('a scan throws listing_pages_repeat for a listing that alternates between two pages', async () => {
    const readAlternating = async (query: ListingQuery): Promise<ListingPage> => ({
      ...listing.answerQuery({ ...query, skip: (query.skip % 2) * 5, take: 6 }),
      totalCount: 1e9,
    });
    await expect(scanAll(readAlternating)).rejects.toMatchObject({ code: 'listing_pages_repeat' });
  });

  it.each([
    ['a `total_count` that grows', (read: number) => read + 1_000],
    ['a `total_count` that is too small', () => 5],
  ])('a scan throws listing_endless if a listing never ends and has %s', async (_, totalCount) => {
    let made = 0;
    const readEndless = async (query: ListingQuery): Promise<ListingPage> => {
      const made10 = Array.from({ length: 10 }, () => createFakeItem((made += 1), made));
      return listing.buildPage(query, made10, totalCount(made));
    };
    await expect(scanAll(readEndless)).rejects.toMatchObject({
      code: 'listing_endless',
      message: expect.stringMatching(
        /expected \d+ items according to total_count, found \d+ without reaching the end \(GET /,
      ) as string,
    });
  });

  it('a scan throws listing_endless for a listing that dates each item with the time of the response', async () => {
    const ids = Array.from({ length: 1_500 }, (_, index) => index);
    let clock = 0;
    const readStamped = async (query: ListingQuery): Promise<ListingPage> => {
      clock += 1;
      const items = ids.map((id) => createFakeItem(id, clock));
      return listing.buildPage(query, items.slice(query.skip, query.skip + query.take), items.length);
    };
    await expect(scanAll(readStamped, { take: 1_000 })).rejects.toMatchObject({ code: 'listing_endless' });
  });

  it('a scan throws listing_endless for a listing of one date whose ids are generated for each response', async () => {
    let made = 0;
    const readGenerated = async (query: ListingQuery): Promise<ListingPage> => {
      if (made > 100_000) throw new Error('expected the scan to end');
      const size = Math.max(0, Math.min(query.take, 100 - query.skip));
      const generated = Array.from({ length: size }, () => createFakeItem((made += 1), 0));
      return listing.buildPage(query, generated, 100);
    };
    await expect(scanAll(readGenerated)).rejects.toMatchObject({ code: 'listing_endless' });
  });

  it('a scan throws listing_shows_nothing for a listing that has no items, but a positive `total_count`', async () => {
    const readEmpty = (totalCount: number) => async (query: ListingQuery) =>
      new FakeListing([]).buildPage(query, [], totalCount);
    await expect(scanAll(readEmpty(30))).rejects.toMatchObject({
      code: 'listing_shows_nothing',
      message: expect.stringContaining(
        'expected items on the first page, because total_count is 30, found none (GET ',
      ) as string,
    });
    await expect(scanAll(readEmpty(0))).resolves.toBeDefined();
  });
});
