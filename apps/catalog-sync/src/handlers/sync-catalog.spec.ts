import { once } from 'node:events';
import type { SyncCatalog } from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { openRunWatch } from '@quarry/run-reporting';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatDateAfter, createFakeItem, createFakeItems, FakeListing } from '@quarry/item-listing/testing';
import { createJobContext, SyncBench } from '../testing/sync-bench.js';
import { SyncProgress } from '../run/sync-progress.js';
import { SyncRun, type SyncRunParts } from '../run/sync-run.js';
import type { ReadPage } from '@quarry/item-listing';
import { type ListingRequest, syncCatalog } from './sync-catalog.js';

let listing: FakeListing;
let bench: SyncBench;

beforeEach(() => {
  listing = new FakeListing(createFakeItems(7));
  bench = new SyncBench((query) => listing.readPage(query));
});

async function createRunParts(): Promise<{
  readonly job: SyncCatalog;
  readonly parts: Omit<SyncRunParts, 'reporter'>;
}> {
  const job = await bench.startRun();
  const progress = new SyncProgress(job, undefined);
  const readPage: ReadPage = (query) => listing.readPage(query);
  return { job, parts: { job, readPage, progress, checkpoint: undefined, abortReading: () => undefined } };
}

const failFirstDocument = (): (() => 'failed' | 'indexed') => {
  let documents = 0;
  return () => ((documents += 1) === 1 ? 'failed' : 'indexed');
};

describe('an incremental sync', () => {
  it('an incremental sync records every item of a new listing as one document of the run', async () => {
    expect(await bench.runSync()).toMatchObject({ discovered: 7, complete: false });
    expect(bench.listKeysToIndex()).toHaveLength(7);
    expect(bench.gateway.index.get('item:i00000')?.document).toMatchObject({
      ...{ documentKey: 'item:i00000', name: 'Product i00000', mimeType: 'text/markdown' },
      ...{ version: expect.stringMatching(/^[\w-]{8}\.[\w-]{16}$/) as string },
      metadata: { id: 'i00000', date_modified: formatDateAfter(0) },
    });
    expect(bench.gateway.index.get('item:i00000')?.markdown).toBe('# Product i00000\n');
  });

  it('if a listing has not changed, an incremental sync sends one request, and records no documents', async () => {
    await bench.runSync();
    listing.queries.length = 0;
    const enumerated = await bench.runSync();
    expect(enumerated).toMatchObject({ discovered: 0, complete: false });
    expect(enumerated.note).toBeUndefined();
    expect(listing.queries).toEqual([{ take: 3, skip: 0, modifiedAfter: formatDateAfter(5) }]);
    expect([bench.listKeysToIndex(), bench.listSettledDocuments()]).toEqual([[], []]);
  });

  it('an incremental sync indexes new and changed items, including items with the same date as the latest item of the previous sync', async () => {
    await bench.runSync();
    const changed = createFakeItem('i00006', 6, { title: 'Changed' });
    listing.items = [...createFakeItems(6), changed, createFakeItem('i00007', 6), createFakeItem('i00001', 9)];
    expect(await bench.runSync()).toMatchObject({ discovered: 3 });
    expect(bench.listKeysToIndex()).toEqual(['item:i00006', 'item:i00007', 'item:i00001']);
    expect(bench.gateway.index.get('item:i00006')?.markdown).toBe('# Changed\n');
  });

  it('an incremental sync ignores the order of an item’s fields when it detects changes', async () => {
    await bench.runSync();
    listing.items = createFakeItems(7).map((item) => Object.fromEntries(Object.entries(item).reverse()));
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 7 });
    expect(bench.listKeysToIndex()).toEqual([]);
  });

  describe('items dated in the future', () => {
    const future = { ...createFakeItem('future', 0), date_modified: '9999-12-31T23:59:59.999Z' };
    /** Time of each response by the listing's clock. The item `future` has a much later modification date. */
    let answeredAt: string;
    beforeEach(() => {
      answeredAt = formatDateAfter(1_000);
      listing.items = [...createFakeItems(7), future];
      listing.readPage = async (query) => ({ ...listing.answerQuery(query), answeredAt });
    });

    it('an incremental sync detects changed items when the clock of the listing is behind the local clock', async () => {
      await bench.runSync();
      listing.items = [
        ...createFakeItems(4),
        future,
        createFakeItem('i00004', 1_500),
        createFakeItem('i00005', 1_600),
        createFakeItem('new', 7),
      ];
      answeredAt = formatDateAfter(2_000);
      await bench.runSync();
      expect(bench.listKeysToIndex()).toEqual(['item:new', 'item:i00004', 'item:i00005']);
    });

    it('if an item is dated in the future, a sync reports the item in a note, and the next sync starts at the latest date of the other items', async () => {
      expect(await bench.runSync()).toMatchObject({
        note: 'A date_modified is in the future: item future (9999-12-31T23:59:59.999Z). Each sync reads items with a future date again.',
        notes: [
          {
            code: 'dates_in_future',
            parameters: { items: 1, more: 0, id: 'future', date: '9999-12-31T23:59:59.999Z' },
          },
        ],
      });
      listing.queries.length = 0;
      await bench.runSync();
      expect(listing.queries[0]).toEqual({ take: 3, skip: 0, modifiedAfter: formatDateAfter(5) });
      expect(bench.listKeysToIndex()).toEqual([]);
    });

    it('if the listing sends no `Date` header, an incremental sync uses the local clock to detect dates in the future', async () => {
      listing.readPage = async (query) => listing.answerQuery(query);
      await bench.runSync();
      listing.items = [...listing.items, createFakeItem('new', 2_000)];
      await bench.runSync();
      expect(bench.listKeysToIndex()).toEqual(['item:new']);
    });
  });

  it('if an item changes while a sync reads the listing, the sync reports the change, and the next sync indexes the new version', async () => {
    listing.readPage = async (query) => {
      const page = listing.answerQuery(query);
      if (listing.queries.length === 1)
        listing.items = [...createFakeItems(7).slice(1), createFakeItem('i00000', 9, { title: 'New' })];
      return page;
    };
    expect(await bench.runSync()).toMatchObject({
      discovered: 7,
      note: expect.stringMatching(/^1 item changed/) as string,
    });
    expect(bench.gateway.index.get('item:i00000')?.markdown).toBe('# Product i00000\n');
    expect(await bench.runSync()).toMatchObject({ discovered: 1 });
    expect(bench.gateway.index.get('item:i00000')?.markdown).toBe('# New\n');
  });

  it('if an item changes repeatedly while a sync reads the listing, the note of the sync counts the item once', async () => {
    let changes = 0;
    listing.readPage = async (query) => {
      const page = { ...listing.answerQuery(query), totalCount: 7 };
      if (!JSON.stringify(page.items).includes('i00000') || changes === 3) return page;
      changes += 1;
      listing.items = [...createFakeItems(7).slice(1), createFakeItem('i00000', 10 + changes, { title: changes })];
      return page;
    };
    expect(await bench.runSync()).toMatchObject({ note: expect.stringMatching(/^1 item changed/) as string });
    expect(changes).toBe(3);
  });

  it('an incremental sync indexes every item again when the indexing settings change', async () => {
    await bench.runSync();
    const splitting = { maxTokens: 256, overlapTokens: 32 };
    await bench.runSync({ splitting });
    expect(bench.listKeysToIndex()).toHaveLength(7);
    await bench.runSync({ splitting });
    expect(bench.listKeysToIndex()).toEqual([]);
  });

  it.each([
    ['belongs to another listing address', { url: 'http://other.example/items' }],
    ['has an unknown format', { listingState: { form: 1 } }],
    ['is missing', { listingState: undefined }],
  ])(
    'if the stored state of the last sync %s, an incremental sync reads the whole listing again, but indexes no unchanged item',
    async (_, changes) => {
      await bench.runSync();
      listing.queries.length = 0;
      await bench.runSync(changes as Partial<SyncCatalog>);
      expect(listing.queries[0]).toMatchObject({ modifiedAfter: '' });
      expect(bench.listKeysToIndex()).toEqual([]);
    },
  );

  it('if ingestion could not index a document of the last sync, the next incremental sync records the document again', async () => {
    const job = await bench.startRun();
    await bench.syncUntilEnd(job);
    await bench.gateway.ingestDocuments(job.runId, failFirstDocument());
    await bench.gateway.endRun(job.runId);
    await bench.runSync();
    expect(bench.listKeysToIndex()).toEqual(['item:i00000']);
  });

  it('a sync reports as its progress the number of items that it has read and the total number of items', async () => {
    const reports: object[] = [];
    const { job, parts } = await createRunParts();
    const reporter = { reportProgress: (...report: readonly unknown[]) => reports.push(report) };
    await new SyncRun(bench.context, { ...parts, reporter }).runToEnd();
    expect(reports.at(-1)).toMatchObject([
      'fetching',
      { done: 7, total: 7, unit: 'items' },
      { discovered: 7, fetched: 7 },
    ]);
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 7, fetched: 7 });
  });
});

describe('invalid items', () => {
  const wrong = [
    { title: 'no id', date_modified: formatDateAfter(20) },
    createFakeItem('bad-price', 21, { price: '1' }),
    createFakeItem('no-title', 22, { title: '' }),
    { ...createFakeItem('no-date', 0), date_modified: '2026-01-01 00:00:30' },
    'no object',
  ];
  beforeEach(() => {
    listing = new FakeListing([...createFakeItems(7), ...wrong]);
  });

  it.each([3, 100])(
    'with %i items per page, a sync records each invalid item as failed, and indexes all other items',
    async (pageSize) => {
      expect(await bench.runSync({ pageSize })).toMatchObject({ discovered: 12 });
      expect(bench.listKeysToIndex()).toHaveLength(7);
      expect(bench.listSettledDocuments().map(({ outcome, code }) => `${outcome} ${String(code)}`)).toEqual(
        Array.from({ length: 5 }, () => 'failed item_invalid'),
      );
      expect(bench.listSettledDocuments().map(({ message }) => message)).toEqual(
        expect.arrayContaining([
          'Item bad-price is not valid: price must be a number, found "1"',
          'Item no-title is not valid: title must not be empty, found ""',
          'An item without a usable id is not valid: id is required',
          'An item without a usable id is not valid: must be an object, found a string',
        ]),
      );
      expect(bench.listSettledDocuments().find(({ documentKey }) => documentKey === 'item:no-date')?.message).toMatch(
        /^Item no-date is not valid: date_modified must be .*, found "2026-01-01 00:00:30"$/,
      );
    },
  );

  it('a sync reports an invalid item again only if the item has changed or the sync is full', async () => {
    await bench.runSync({ mode: 'full', pageSize: 100 });
    expect(await bench.runSync({ pageSize: 100 })).toMatchObject({ discovered: 0 });
    await bench.runSync({ mode: 'full', pageSize: 100 });
    expect(bench.listSettledDocuments().filter(({ outcome }) => outcome === 'failed')).toHaveLength(5);
    const hasTitle = (item: unknown): boolean => !JSON.stringify(item).includes('no-title');
    listing.items = [...listing.items.filter(hasTitle), createFakeItem('no-title', 30, { title: null })];
    await bench.runSync({ pageSize: 100 });
    expect(bench.listSettledDocuments()).toMatchObject([{ documentKey: 'item:no-title', outcome: 'failed' }]);
  });

  it.each(['incremental', 'full'] as const)(
    'after a sync in %s mode, an incremental sync reports none of 300 invalid items of the latest date again',
    async (mode) => {
      const imported = createFakeItems(300, () => 50).map((item) => ({ ...item, title: '' }));
      listing.items = [...createFakeItems(7), ...imported.map((item) => ({ ...item, id: `imported-${item.id}` }))];
      expect(await bench.runSync({ mode, pageSize: 100 })).toMatchObject({ discovered: 307 });
      expect(await bench.runSync({ pageSize: 100 })).toMatchObject({ discovered: 0 });
      expect(bench.listSettledDocuments()).toEqual([]);
    },
  );

  it('a dry run counts an invalid item that an earlier sync has reported', async () => {
    await bench.runSync({ pageSize: 100 });
    const { notes } = await bench.runSync({ dryRun: true, pageSize: 100 });
    expect(notes?.[0]?.parameters).toEqual({ changed: 0, unchanged: 0, invalid: 1 });
  });

  it.each(['incremental', 'full'] as const)(
    'if an item becomes invalid after a sync has recorded it, the next sync reports the item as invalid, in %s mode',
    async (mode) => {
      listing.items = createFakeItems(7);
      listing.readPage = async (query) => {
        const page = listing.answerQuery(query);
        if (listing.queries.length !== 2) return page;
        await expect.poll(() => bench.listKeysToIndex()).toContain('item:i00000');
        listing.items = [...createFakeItems(7).slice(1), createFakeItem('i00000', 9, { title: '' })];
        return page;
      };
      expect(await bench.runSync({ mode })).toMatchObject({
        note: expect.stringContaining('1 item changed while it was being read') as string,
      });
      await bench.runSync();
      expect(bench.listSettledDocuments()).toMatchObject([{ documentKey: 'item:i00000', code: 'item_invalid' }]);
    },
  );

  it('a sync keeps the last valid document of an item that has become invalid', async () => {
    await bench.runSync();
    listing.items = [...createFakeItems(6), createFakeItem('i00006', 30, { title: '' })];
    expect(await bench.runSync({ mode: 'full' })).toMatchObject({ discovered: 7, complete: true });
    expect([...bench.gateway.index.keys()]).toContain('item:i00006');
  });
});

describe('a cancelled or superseded run', () => {
  const openListing =
    (end: (job: SyncCatalog) => Promise<void>) =>
    (job: SyncCatalog, { signal }: ListingRequest): ReadPage =>
    async (query) => {
      if (listing.queries.length === 0) return listing.answerQuery(query);
      await expect.poll(() => bench.listKeysToIndex()).toHaveLength(3);
      await end(job);
      if (!signal.aborted) await once(signal, 'abort');
      throw new Error('the request for the page was aborted');
    };

  it('a cancelled run stops while a request to the listing is pending', async () => {
    const job = await bench.startRun();
    const context = { ...bench.context, openListing: openListing(({ runId }) => bench.gateway.cancelRun(runId)) };
    await syncCatalog(context, job, createJobContext());
    expect(listing.queries).toHaveLength(1);
    expect(bench.listKeysToIndex()).toHaveLength(3);
    expect(bench.gateway.statusQueue.listPayloads('run-enumerated')).toEqual([]);
  });

  it('a superseded run stops when it records its next items, even if the run watch has not yet detected the newer run', async () => {
    const job = await bench.startRun();
    const watch = openRunWatch(bench.context.gateway, silentLog, 3_600_000);
    listing.readPage = async (query) => {
      if (listing.queries.length === 1) await bench.startRun();
      return listing.answerQuery(query);
    };
    await syncCatalog({ ...bench.context, watch }, job, createJobContext());
    expect(bench.gateway.statusQueue.listPayloads('run-enumerated')).toEqual([]);
  });

  it('a run that was cancelled before it started sends no request to the listing', async () => {
    const job = await bench.startRun();
    await bench.gateway.cancelRun(job.runId);
    await bench.syncUntilEnd(job);
    expect(listing.queries).toEqual([]);
    expect(bench.gateway.statusQueue.listPayloads('status-changed')).toEqual([]);
  });

  it('a run leaves no blobs when its datasource is deleted during the run', async () => {
    const job = await bench.startRun();
    const context = {
      ...bench.context,
      openListing: openListing(({ runId }) => bench.gateway.removeDatasource(runId)),
    };
    await syncCatalog(context, job, createJobContext());
    for await (const key of bench.blobs.list('organization/')) expect.fail(`expected no blob, found ${key}`);
  });

  it.each(['cancelled', 'superseded'])(
    'if a run is %s before ingestion starts, the next run indexes every item',
    async (how) => {
      const early = await bench.startRun();
      await bench.syncUntilEnd(early);
      expect(bench.listKeysToIndex()).toHaveLength(7);
      // Ingestion has not indexed any of its documents.
      if (how === 'cancelled') await bench.gateway.cancelRun(early.runId);
      await bench.runSync();
      expect(bench.gateway.index.size).toBe(7);
    },
  );
});
