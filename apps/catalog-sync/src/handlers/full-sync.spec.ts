import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatDateAfter, createFakeItem, createFakeItems, FakeListing } from '@quarry/item-listing/testing';
import { SyncBench } from '../testing/sync-bench.js';

let listing: FakeListing;
let bench: SyncBench;

beforeEach(async () => {
  listing = new FakeListing(createFakeItems(12));
  bench = new SyncBench((query) => listing.readPage(query));
  await bench.runSync();
});

const listIndexedKeys = (): readonly string[] => [...bench.gateway.index.keys()];

describe('a full sync', () => {
  it('a full sync indexes changed items, records all other items as unchanged, and leads to the removal of missing items', async () => {
    listing.items = [...createFakeItems(11).slice(2), createFakeItem('i00003', 20)];
    listing.items = listing.items.filter((item, index) => index !== 1);
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 9, complete: true });
    expect(bench.listKeysToIndex()).toEqual(['item:i00003']);
    expect(bench.listSettledDocuments()).toHaveLength(8);
    expect(bench.listSettledDocuments()[0]).toEqual({ documentKey: 'item:i00002', outcome: 'unchanged' });
    expect(listIndexedKeys()).toHaveLength(9);
  });

  it('a full sync indexes a removed item again when the item is back in the listing', async () => {
    listing.items = createFakeItems(11);
    await bench.runSync({ mode: 'full' });
    listing.items = createFakeItems(12);
    await bench.runSync({ mode: 'full' });
    expect(bench.listKeysToIndex()).toEqual(['item:i00011']);
    expect(listIndexedKeys()).toHaveLength(12);
  });

  it('if an item changes and its `date_modified` does not, a full sync indexes the item, and an incremental sync does not', async () => {
    listing.items = [createFakeItem('i00000', 0, { title: 'Changed in silence' }), ...createFakeItems(12).slice(1)];
    await bench.runSync();
    expect(bench.listKeysToIndex()).toEqual([]);
    await bench.runSync({ mode: 'full' });
    expect(bench.listKeysToIndex()).toEqual(['item:i00000']);
  });

  it('a full sync of a listing that has become empty reports `complete: true`, and leaves the check for a mass removal to the gateway', async () => {
    listing.items = [];
    listing.queries.length = 0;
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 0, complete: true });
    expect(listing.queries).toHaveLength(1);
  });

  it('if items keep moving between pages, a full sync removes no documents, even if `total_count` equals the number of items read', async () => {
    // All items have the same date, so that the sync pages with `skip`. In each reading, the first 24 pages after the first page
    // start with a new item.
    const all = createFakeItems(12, () => 5);
    let [moved, movedInReading] = [0, 0];
    const countRecordedDocuments = (): number => bench.listKeysToIndex().length + bench.listSettledDocuments().length;
    listing.readPage = async (query) => {
      if (query.take === 1) {
        movedInReading = 0;
        return listing.buildPage(query, [], countRecordedDocuments());
      }
      const items: unknown[] = all.slice(query.skip, query.skip + query.take);
      if (query.skip > 0 && (movedInReading += 1) < 25) items[0] = createFakeItem(`moved-${(moved += 1)}`, 5);
      return listing.buildPage(query, items, all.length);
    };
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({
      complete: false,
      note: expect.stringContaining('items moved faster than they could be read') as string,
    });
  });

  it('if total_count differs from the number of items that were read, a full sync removes no documents, and reports the difference', async () => {
    listing.readPage = async (query) => ({ ...listing.answerQuery(query), totalCount: 14 });
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({
      complete: false,
      note: 'Nothing was removed, because total_count is 14, but 12 different items were read.',
      notes: [{ code: 'listing_count_differs', parameters: { total: 14, read: 12 } }],
    });
    expect(listIndexedKeys()).toHaveLength(12);
  });

  describe('items that share an id', () => {
    const syncTwice = async (shared: readonly unknown[]): Promise<object> => {
      listing.items = [...createFakeItems(12), ...shared];
      await bench.runSync({ mode: 'full' });
      listing.items = [...createFakeItems(11), ...shared];
      const { complete, note } = await bench.runSync({ mode: 'full' });
      return { complete, note, isRemoved: !listIndexedKeys().includes('item:i00011') };
    };

    it.each([
      ['the number 7 and the text "7"', [createFakeItem(7, 20), createFakeItem('7', 20)], '7'],
      ['the same date', [createFakeItem('twice', 20), createFakeItem('twice', 20, { title: 'Other' })], 'twice'],
      ['other dates, pages apart', [createFakeItem('i00000', 20), createFakeItem('i00002', 21)], 'i00000, i00002'],
      [
        'three times',
        [createFakeItem('i00000', 20), createFakeItem('i00000', 20), createFakeItem('i00000', 21)],
        'i00000',
      ],
      ['on both sides of a page', Array.from({ length: 5 }, () => createFakeItem('many', 20)), 'many'],
    ])(
      'if items share an id (%s), a full sync still removes the document of a missing item, and reports the shared ids',
      async (_, shared, ids) => {
        expect(await syncTwice(shared)).toMatchObject({
          complete: true,
          isRemoved: true,
          note: expect.stringContaining(
            `One item is indexed for each id, but several items share these: ${ids}.`,
          ) as string,
        });
      },
    );

    it('if an item moves to another page while a full sync reads the listing, the sync counts the item only once', async () => {
      let once = true;
      listing.readPage = async (query) => {
        const page = listing.answerQuery(query);
        if (query.modifiedAfter === formatDateAfter(1) && once) {
          once = false;
          const moved = { ...createFakeItem('i00000', 0), date_modified: new Date().toISOString() };
          listing.items = [...createFakeItems(12).slice(1), moved];
        }
        return page;
      };
      const ended = await bench.runSync({ mode: 'full' });
      expect(ended).toMatchObject({ complete: true });
      expect(ended.note).not.toContain('share');
    });
  });

  it('if an item is deleted while a full sync reads the listing, the sync reads the listing again, and the next full sync removes the item', async () => {
    let once = true;
    listing.readPage = async (query) => {
      const page = listing.answerQuery(query);
      if (query.modifiedAfter === formatDateAfter(1) && once) {
        once = false;
        listing.items = createFakeItems(12).slice(1);
      }
      return page;
    };
    // The first run has reported the deleted item. The next run removes it.
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 12, complete: true });
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 11, complete: true });
    expect(listIndexedKeys()).toHaveLength(11);
  });

  it('after a listing was restored from a backup and fully synced, an incremental sync indexes a new item that is older than the lost items', async () => {
    listing.items = createFakeItems(3);
    await bench.runSync({ mode: 'full' });
    listing.items = [...createFakeItems(3), createFakeItem('new', 4)];
    await bench.runSync();
    expect(bench.listKeysToIndex()).toEqual(['item:new']);
  });
});

describe('a dry run', () => {
  it('a full dry run reports how many items would be indexed, have not changed or are invalid, and changes nothing', async () => {
    const before = [...bench.gateway.index.values()];
    listing.items = [
      ...createFakeItems(11).slice(2),
      createFakeItem('i00003', 20),
      createFakeItem('wrong', 21, { title: '' }),
    ];
    listing.items = listing.items.filter((item, index) => index !== 1);
    expect(await bench.runSync({ mode: 'full', dryRun: true })).toMatchObject({
      discovered: 10,
      complete: false,
      note: 'A dry run, which changed nothing: 1 item would be indexed, 8 have not changed, 1 is invalid. Item wrong is not valid: title must not be empty, found "".',
      notes: [
        { code: 'dry_run_counts', parameters: { changed: 1, unchanged: 8, invalid: 1 } },
        { code: 'dry_run_item_invalid' },
      ],
    });
    expect([bench.listKeysToIndex(), bench.listSettledDocuments()]).toEqual([[], []]);
    expect([...bench.gateway.index.values()]).toEqual(before);
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 10, complete: true });
    expect(bench.listKeysToIndex()).toEqual(['item:i00003']);
  });

  it('a full dry run stores the document keys of all items in a blob, from which the gateway counts the removals', async () => {
    const readKeys = async (): Promise<unknown> => {
      const { wouldKeep } = await bench.runSync({ mode: 'full', dryRun: true });
      const keys: unknown = JSON.parse(await text(await bench.blobs.read(wouldKeep?.blobKey ?? '')));
      return { keys, valid: wouldKeep?.valid };
    };
    listing.items = [...createFakeItems(2), createFakeItem('wrong', 21, { title: '' })];
    const expected = { keys: ['item:i00000', 'item:i00001', 'item:wrong'], valid: 2 };
    expect(await readKeys()).toEqual(expected);
    await bench.runSync({ mode: 'full' });
    expect(await readKeys()).toEqual(expected);
    listing.items = [];
    expect(await readKeys()).toEqual({ keys: [], valid: 0 });
  });

  it('an incremental dry run stores no document keys, and reports that removals were not determined', async () => {
    const ended = await bench.runSync({ dryRun: true });
    expect(ended.wouldKeep).toBeUndefined();
    expect(ended).toMatchObject({
      note: expect.stringMatching(/0 items would be indexed, .*, removals were not determined\.$/) as string,
    });
  });
});
