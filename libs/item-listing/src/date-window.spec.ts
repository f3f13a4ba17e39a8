import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ListingScan, type ReadPage, type ScanStart } from './listing-scan.js';
import {
  formatDateAfter,
  createFakeItem,
  createFakeItems,
  FakeListing,
  type FakeItem,
} from './testing/fake-listing.js';

const openScan = (read: ReadPage, start: ScanStart, take = 10): ListingScan =>
  new ListingScan(read, { ...start, take, now: () => new Date() });

/** Reads up to `count` pages. @returns the document keys of their items */
async function scanPages(scan: ListingScan, count = Infinity): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let read = 0; read < count; read += 1) {
    const page = await scan.readNextPage();
    if (page === undefined) break;
    keys.push(...page.items.map(({ documentKey }) => documentKey));
  }
  return keys;
}

const listKeys = (items: readonly FakeItem[]): readonly string[] => items.map(({ id }) => `item:${id}`);
const listSkips = ({ queries }: FakeListing): readonly number[] => queries.map(({ skip }) => skip);

describe('resuming a scan within the items of one date', () => {
  const items = createFakeItems(60, () => 5);
  const start = {
    modifiedAfter: formatDateAfter(4),
    position: { skip: 27, item: `${formatDateAfter(5)} item:i00027` },
  };

  it('a resumed scan starts at the last item that the earlier scan has read', async () => {
    const listing = new FakeListing(items);
    const scan = openScan(listing.readPage, { modifiedAfter: '' });
    await scanPages(scan, 4);
    expect(scan.resumeFrom).toEqual(start);
    listing.queries.length = 0;
    expect(new Set(await scanPages(openScan(listing.readPage, scan.resumeFrom)))).toEqual(
      new Set(listKeys(items.slice(27))),
    );
    expect(listSkips(listing)).toEqual([27, 36, 45, 54]);
  });

  it('if an earlier scan has reached the end of the listing, a resumed scan starts at the last item', async () => {
    const listing = new FakeListing(items);
    const scan = openScan(listing.readPage, { modifiedAfter: '' });
    await scanPages(scan);
    expect(await scanPages(openScan(listing.readPage, scan.resumeFrom))).toEqual(['item:i00059']);
  });

  it.each([
    ['some earlier items were deleted', 'an earlier page', items.slice(3), [27, 18, 27, 36, 45, 54]],
    ['an earlier item was added', 'the same page', [createFakeItem('h', 5), ...items], [27, 36, 45, 54]],
    [
      'many earlier items were added',
      'the first page',
      [...Array.from({ length: 12 }, (_, index) => createFakeItem(`h${10 + index}`, 5)), ...items],
      [27, 18, 0, 9, 18, 27, 36, 45, 54, 63],
    ],
    [
      'the last item that was read got a later date',
      'the first page',
      items.map((item) => (item.id === 'i00027' ? createFakeItem('i00027', 6) : item)),
      [27, 18, 0, 9, 18, 27, 36, 45, 54],
    ],
    ['most items were deleted', 'the first page', items.slice(25, 30), [27, 18, 0]],
    ['all items were deleted', 'the first page', [], [27, 18, 0]],
  ])('if %s, a resumed scan continues at %s, and misses no item', async (_edit, _place, edited, skips) => {
    const listing = new FakeListing(edited);
    const found = new Set([...listKeys(items.slice(0, 28)), ...(await scanPages(openScan(listing.readPage, start)))]);
    const itemsOfBothScans = items.filter(({ id }) => edited.some((item) => item.id === id));
    expect([...found]).toEqual(expect.arrayContaining([...listKeys(itemsOfBothScans)]));
    expect(listSkips(listing)).toEqual(skips);
  });

  it('resumed scans miss no item that the listing contains from the first to the last scan, whatever edits are made between the scans', async () => {
    const edit = fc.record({ kind: fc.constantFrom('add', 'delete', 'move'), at: fc.nat(40) });
    const interruption = fc.record({ pages: fc.integer({ min: 1, max: 5 }), edits: fc.array(edit, { maxLength: 6 }) });
    const interruptions = fc.array(interruption, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(interruptions, fc.integer({ min: 2, max: 6 }), async (interrupted, take) => {
        let edited = [...createFakeItems(30, () => 5)];
        let made = 0;
        const applyEdit = (kind: string, at: number): void => {
          made += 1;
          const item = edited[at % Math.max(1, edited.length)];
          if (kind === 'add') edited.push(createFakeItem(`i${String(at).padStart(5, '0')}+${made}`, 5));
          else edited = edited.filter((other) => other !== item);
          if (kind === 'move' && item !== undefined) edited.push(createFakeItem(item.id, 5 + made));
        };
        const listing = new FakeListing(edited);
        const found: string[] = [];
        let resumed: ScanStart = { modifiedAfter: '' };
        for (const { pages, edits } of interrupted) {
          const scan = openScan(listing.readPage, resumed, take);
          found.push(...(await scanPages(scan, pages)));
          resumed = scan.resumeFrom;
          for (const { kind, at } of edits) applyEdit(kind, at);
          listing.items = edited;
        }
        found.push(...(await scanPages(openScan(listing.readPage, resumed, take))));
        const remaining = edited.filter(({ id }) => !String(id).includes('+'));
        expect(found).toEqual(expect.arrayContaining([...listKeys(remaining)]));
      }),
      { numRuns: 300 },
    );
  });

  it('a resumed scan starts at the first item of the last date that was read if the listing returns only one item per request', async () => {
    const listing = new FakeListing(items);
    const scan = openScan(async (query) => listing.answerQuery({ ...query, take: 1 }), { modifiedAfter: '' });
    await scanPages(scan, 4);
    expect(scan.resumeFrom).toEqual({ modifiedAfter: formatDateAfter(4) });
  });

  it('a resumed scan starts at the first item of the last date that was read if items of this date moved too fast to be read', async () => {
    const listing = new FakeListing(items);
    let made = 0;
    const readMoving: ReadPage = async (query) => {
      const moved = Array.from({ length: 10 }, () => createFakeItem((made += 1), 5));
      return query.skip === 0 ? listing.answerQuery(query) : listing.buildPage(query, moved, 60);
    };
    const scan = openScan(readMoving, { modifiedAfter: '' });
    for (let read = 0; read < 100 && scan.isStable; read += 1) await scan.readNextPage();
    expect(scan.isStable).toBe(false);
    expect(scan.resumeFrom).toEqual({ modifiedAfter: formatDateAfter(4) });
  });

  it('a resumed scan starts at the first of the items without a valid date, because these items can move without a new date', async () => {
    const undated = items.map((item) => ({ ...item, date_modified: 'yesterday' }));
    const scan = openScan(new FakeListing(undated).readPage, { modifiedAfter: '' });
    await scanPages(scan, 3);
    expect(scan.resumeFrom).toEqual({ modifiedAfter: '' });
  });

  describe('items of a future date', () => {
    const future = 1_000;
    const imported = createFakeItems(60, (index) => (index < 5 ? 5 : future));
    /** Time of the next response, in milliseconds after the start of 2026. */
    let clock: number;
    const openScanAt = (read: ReadPage): ListingScan =>
      new ListingScan(read, { modifiedAfter: '', take: 10, now: () => new Date(formatDateAfter(clock)) });
    beforeEach(() => {
      clock = 10;
    });

    it('if a scan stops within the items of a future date, the next scan resumes at the last date in the past', async () => {
      const listing = new FakeListing(imported);
      const scan = openScanAt(listing.readPage);
      await scanPages(scan, 3);
      expect(listing.queries.at(-1)?.modifiedAfter).toBe(formatDateAfter(future - 1));
      expect(scan.resumeFrom).toEqual({ modifiedAfter: formatDateAfter(4) });
    });

    it('if a future date passes during a scan, the next scan still reads an item that was edited before that date', async () => {
      const listing = new FakeListing(imported);
      const scan = openScanAt(listing.readPage);
      await scanPages(scan, 3);
      listing.items = [...imported, createFakeItem('edited', 20)];
      clock = 2 * future;
      expect(await scanPages(scan)).not.toContain('item:edited');
      expect(await scanPages(openScan(listing.readPage, { modifiedAfter: scan.resumeAfter }))).toContain('item:edited');
    });

    it('if items of a future date move too fast to be read, the next scan resumes at the last date in the past', async () => {
      const listing = new FakeListing(imported);
      let made = 0;
      const scan = openScanAt(async (query) => {
        const moved = Array.from({ length: 10 }, () => createFakeItem((made += 1), future));
        return query.skip === 0 ? listing.answerQuery(query) : listing.buildPage(query, moved, 60);
      });
      for (let read = 0; read < 100 && scan.isStable; read += 1) await scan.readNextPage();
      expect(scan.isStable).toBe(false);
      expect(scan.resumeFrom).toEqual({ modifiedAfter: formatDateAfter(4) });
    });
  });

  it.each([
    ['contains', 'i00003'],
    ['does not contain', 'deleted'],
  ])(
    'a resumed scan soon throws listing_pages_repeat for a listing that ignores `skip` and %s the last item that was read',
    async (_, id) => {
      const listing = new FakeListing(items);
      const position = { skip: 10_000, item: `${formatDateAfter(5)} item:${id}` };
      const scan = openScan(async (query) => listing.answerQuery({ ...query, skip: 0 }), { ...start, position });
      await expect(scanPages(scan)).rejects.toMatchObject({ code: 'listing_pages_repeat' });
      expect(listing.queries.length).toBeLessThan(50);
    },
  );

  it('a resumed scan of one page does not count as a snapshot of the whole listing', async () => {
    const position = { skip: 1, item: `${formatDateAfter(5)} item:i00001` };
    const scan = openScan(new FakeListing(items.slice(0, 3)).readPage, { modifiedAfter: '', position });
    expect(await scanPages(scan)).toHaveLength(2);
    expect(scan.isSnapshot).toBe(false);
  });
});
