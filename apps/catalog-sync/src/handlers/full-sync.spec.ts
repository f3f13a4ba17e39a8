import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, fakeItem, fakeItems, FakeListing } from '@quarry/item-listing/testing';
import { SyncBench } from '../testing/sync-bench.js';

let listing: FakeListing;
let bench: SyncBench;

beforeEach(async () => {
  listing = new FakeListing(fakeItems(12));
  bench = new SyncBench((query) => listing.read(query));
  await bench.run();
});

const indexed = (): readonly string[] => [...bench.gateway.index.keys()];

describe('a full sync', () => {
  it('names every item, so that what is gone shows, and indexes only what has changed', async () => {
    listing.items = [...fakeItems(11).slice(2), fakeItem('i00003', 20)];
    listing.items = listing.items.filter((item, index) => index !== 1);
    expect(await bench.run({ mode: 'full' })).toMatchObject({ discovered: 9, complete: true });
    expect(bench.toIndex()).toEqual(['item:i00003']);
    expect(bench.settled()).toHaveLength(8);
    expect(bench.settled()[0]).toEqual({ documentKey: 'item:i00002', outcome: 'unchanged' });
    expect(indexed()).toHaveLength(9);
  });

  it('indexes again what has gone and come back', async () => {
    listing.items = fakeItems(11);
    await bench.run({ mode: 'full' });
    listing.items = fakeItems(12);
    await bench.run({ mode: 'full' });
    expect(bench.toIndex()).toEqual(['item:i00011']);
    expect(indexed()).toHaveLength(12);
  });

  it('finds what changed without its date', async () => {
    listing.items = [fakeItem('i00000', 0, { title: 'Changed in silence' }), ...fakeItems(12).slice(1)];
    await bench.run();
    expect(bench.toIndex()).toEqual([]);
    await bench.run({ mode: 'full' });
    expect(bench.toIndex()).toEqual(['item:i00000']);
  });

  it('says that an emptied listing is complete: the gateway guards against mass removal', async () => {
    listing.items = [];
    listing.queries.length = 0;
    expect(await bench.run({ mode: 'full' })).toMatchObject({ discovered: 0, complete: true });
    expect(listing.queries).toHaveLength(1);
  });

  it('removes nothing when items moved faster than they could be read, though their number agrees', async () => {
    // All have one date, so that pages skip. In each reading, pages after the first begin for a while with an item that no page has shown.
    const all = fakeItems(12, () => 5);
    let [moved, movedInReading] = [0, 0];
    const recordedByRun = (): number => bench.toIndex().length + bench.settled().length;
    listing.read = async (query) => {
      if (query.take === 1) {
        movedInReading = 0;
        return listing.page(query, [], recordedByRun());
      }
      const items: unknown[] = all.slice(query.skip, query.skip + query.take);
      if (query.skip > 0 && (movedInReading += 1) < 25) items[0] = fakeItem(`moved-${(moved += 1)}`, 5);
      return listing.page(query, items, all.length);
    };
    expect(await bench.run({ mode: 'full' })).toMatchObject({
      complete: false,
      note: expect.stringContaining('items moved faster than they could be read') as string,
    });
  });

  it('removes nothing when total_count does not agree with what was read, and says why', async () => {
    listing.read = async (query) => ({ ...listing.answer(query), totalCount: 14 });
    expect(await bench.run({ mode: 'full' })).toMatchObject({
      complete: false,
      note: 'Nothing was removed, because total_count says 14, 12 different items were read.',
    });
    expect(indexed()).toHaveLength(12);
  });

  describe('of a listing in which several items share an id', () => {
    const removed = async (shared: readonly unknown[]): Promise<object> => {
      listing.items = [...fakeItems(12), ...shared];
      await bench.run({ mode: 'full' });
      listing.items = [...fakeItems(11), ...shared];
      const { complete, note } = await bench.run({ mode: 'full' });
      return { complete, note, gone: !indexed().includes('item:i00011') };
    };

    it.each([
      ['the number 7 and the text "7"', [fakeItem(7, 20), fakeItem('7', 20)], '7'],
      ['the same date', [fakeItem('twice', 20), fakeItem('twice', 20, { title: 'Other' })], 'twice'],
      ['other dates, pages apart', [fakeItem('i00000', 20), fakeItem('i00002', 21)], 'i00000, i00002'],
      ['three times', [fakeItem('i00000', 20), fakeItem('i00000', 20), fakeItem('i00000', 21)], 'i00000'],
      ['on both sides of a page', Array.from({ length: 5 }, () => fakeItem('many', 20)), 'many'],
    ])('removes what is gone, and names the ids: %s', async (_, shared, ids) => {
      expect(await removed(shared)).toMatchObject({
        complete: true,
        gone: true,
        note: expect.stringContaining(
          `One item is indexed for each id, but several items share these: ${ids}.`,
        ) as string,
      });
    });

    it('does not take an item that moves while it is read for two', async () => {
      let once = true;
      listing.read = async (query) => {
        const page = listing.answer(query);
        if (query.modifiedAfter === at(1) && once) {
          once = false;
          const moved = { ...fakeItem('i00000', 0), date_modified: new Date().toISOString() };
          listing.items = [...fakeItems(12).slice(1), moved];
        }
        return page;
      };
      const told = await bench.run({ mode: 'full' });
      expect(told).toMatchObject({ complete: true });
      expect(told.note).not.toContain('share');
    });
  });

  it('reads again when something was deleted while it read, and then knows what is gone', async () => {
    let once = true;
    listing.read = async (query) => {
      const page = listing.answer(query);
      if (query.modifiedAfter === at(1) && once) {
        once = false;
        listing.items = fakeItems(12).slice(1);
      }
      return page;
    };
    // The run has named the item that went: it goes with the next one.
    expect(await bench.run({ mode: 'full' })).toMatchObject({ discovered: 12, complete: true });
    expect(await bench.run({ mode: 'full' })).toMatchObject({ discovered: 11, complete: true });
    expect(indexed()).toHaveLength(11);
  });

  it('follows a shop that has gone back in time', async () => {
    listing.items = fakeItems(3);
    await bench.run({ mode: 'full' });
    listing.items = [...fakeItems(3), fakeItem('new', 4)];
    await bench.run();
    expect(bench.toIndex()).toEqual(['item:new']);
  });
});

describe('a dry run', () => {
  it('says what it would do, and does nothing', async () => {
    const before = [...bench.gateway.index.values()];
    listing.items = [...fakeItems(11).slice(2), fakeItem('i00003', 20), fakeItem('wrong', 21, { title: '' })];
    listing.items = listing.items.filter((item, index) => index !== 1);
    expect(await bench.run({ mode: 'full', dryRun: true })).toMatchObject({
      discovered: 10,
      complete: false,
      note: 'A dry run, which changed nothing: 1 items would be indexed, 8 have not changed, 1 are invalid. Item wrong is not valid: title must not be empty, found "".',
    });
    expect([bench.toIndex(), bench.settled()]).toEqual([[], []]);
    expect([...bench.gateway.index.values()]).toEqual(before);
    expect(await bench.run({ mode: 'full' })).toMatchObject({ discovered: 10, complete: true });
    expect(bench.toIndex()).toEqual(['item:i00003']);
  });

  it('tells the gateway everything that there is, so that it can say what would be removed', async () => {
    const seen = async (): Promise<unknown> => {
      const { wouldKeep } = await bench.run({ mode: 'full', dryRun: true });
      const keys: unknown = JSON.parse(await text(await bench.blobs.read(wouldKeep?.blobKey ?? '')));
      return { keys, valid: wouldKeep?.valid };
    };
    listing.items = [...fakeItems(2), fakeItem('wrong', 21, { title: '' })];
    const expected = { keys: ['item:i00000', 'item:i00001', 'item:wrong'], valid: 2 };
    expect(await seen()).toEqual(expected);
    await bench.run({ mode: 'full' });
    expect(await seen()).toEqual(expected);
    listing.items = [];
    expect(await seen()).toEqual({ keys: [], valid: 0 });
  });

  it('looks for no removals where it reads only what changed', async () => {
    const told = await bench.run({ dryRun: true });
    expect(told.wouldKeep).toBeUndefined();
    expect(told).toMatchObject({
      note: expect.stringMatching(/0 items would be indexed, .*, removals were not looked for\.$/) as string,
    });
  });
});
