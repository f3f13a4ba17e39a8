import { beforeEach, describe, expect, it } from 'vitest';
import { at, fakeItem, fakeItems, FakeListing } from '../testing/fake-listing.js';
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
  it('names every item, so that what is gone shows, and hands over only what has changed', async () => {
    listing.items = [...fakeItems(11).slice(2), fakeItem('i00003', 20)];
    listing.items = listing.items.filter((item, index) => index !== 1);
    expect(await bench.run({ mode: 'full' })).toMatchObject({ documents: 9, complete: true });
    expect(bench.handedOver()).toEqual(['item:i00003']);
    expect(bench.settled()).toHaveLength(8);
    expect(bench.settled()[0]).toMatchObject({
      documentKey: 'item:i00002',
      outcome: 'unchanged',
      name: 'Product i00002',
    });
    expect(indexed()).toHaveLength(9);
  });

  it('hands over again what has gone and come back', async () => {
    listing.items = fakeItems(11);
    await bench.run({ mode: 'full' });
    listing.items = fakeItems(12);
    await bench.run({ mode: 'full' });
    expect(bench.handedOver()).toEqual(['item:i00011']);
    expect(indexed()).toHaveLength(12);
  });

  it('hands over again what was kept because it was so much, and has come back', async () => {
    listing.items = fakeItems(4);
    await bench.run({ mode: 'full' });
    listing.items = fakeItems(12);
    await bench.run({ mode: 'full' });
    expect(bench.handedOver()).toHaveLength(8);
  });

  it('finds what changed without its date', async () => {
    listing.items = [fakeItem('i00000', 0, { title: 'Changed in silence' }), ...fakeItems(12).slice(1)];
    await bench.run();
    expect(bench.handedOver()).toEqual([]);
    await bench.run({ mode: 'full' });
    expect(bench.handedOver()).toEqual(['item:i00000']);
  });

  it('says that an emptied listing is complete: the gateway guards against mass removal', async () => {
    listing.items = [];
    listing.queries.length = 0;
    expect(await bench.run({ mode: 'full' })).toMatchObject({ documents: 0, complete: true });
    expect(listing.queries).toHaveLength(1);
  });

  it('removes nothing when total_count does not agree with what was read, and says why', async () => {
    listing.read = async (query) => ({ ...listing.answer(query), totalCount: 14 });
    expect(await bench.run({ mode: 'full' })).toMatchObject({
      complete: false,
      note: 'Nothing was removed, because total_count says 14, 12 different items were read.',
    });
    expect(indexed()).toHaveLength(12);
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
    expect(await bench.run({ mode: 'full' })).toMatchObject({ documents: 12, complete: true });
    expect(await bench.run({ mode: 'full' })).toMatchObject({ documents: 11, complete: true });
    expect(indexed()).toHaveLength(11);
  });

  it('follows a shop that has gone back in time', async () => {
    listing.items = fakeItems(3);
    await bench.run({ mode: 'full' });
    listing.items = [...fakeItems(3), fakeItem('new', 4)];
    await bench.run();
    expect(bench.handedOver()).toEqual(['item:new']);
  });
});

describe('a dry run', () => {
  it('says what it would do, and does nothing', async () => {
    const before = [...bench.gateway.index.values()];
    listing.items = [...fakeItems(11).slice(2), fakeItem('i00003', 20), fakeItem('wrong', 21, { title: '' })];
    listing.items = listing.items.filter((item, index) => index !== 1);
    expect(await bench.run({ mode: 'full', dryRun: true })).toMatchObject({
      documents: 0,
      complete: false,
      note: 'A dry run, which changed nothing: 1 items would be indexed, 8 have not changed, 1 are invalid, 3 would be removed. Item wrong is not valid: title must not be empty, found "".',
    });
    expect([bench.handedOver(), bench.settled()]).toEqual([[], []]);
    expect([...bench.gateway.index.values()]).toEqual(before);
    expect(await bench.run({ mode: 'full' })).toMatchObject({ documents: 10, complete: true });
    expect(bench.handedOver()).toEqual(['item:i00003']);
  });

  it('says what it takes to remove so much', async () => {
    listing.items = fakeItems(4);
    expect(await bench.run({ mode: 'full', dryRun: true })).toMatchObject({
      note: expect.stringContaining(
        '8 of 12 known ones are gone, which are so many that they would be removed with allowMassRemoval=true alone.',
      ) as string,
    });
  });

  it('misses again what was kept because it was so much, until that was allowed to go', async () => {
    const missed = async (): Promise<string | undefined> =>
      (await bench.run({ mode: 'full', dryRun: true })).note?.match(/are invalid, (.*?)(?:, which|\.)/)?.[1];
    listing.items = fakeItems(4);
    await bench.run({ mode: 'full' });
    expect(await missed()).toBe('8 of 12 known ones are gone');
    await bench.run({ mode: 'full', allowMassRemoval: true });
    expect(await missed()).toBe('0 would be removed');
  });

  it('looks for no removals where it reads only what changed', async () => {
    expect(await bench.run({ dryRun: true })).toMatchObject({
      note: expect.stringMatching(/0 items would be indexed, .*, removals were not looked for\.$/) as string,
    });
  });
});
