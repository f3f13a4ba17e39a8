import { GiveUp, TryLater } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ReadPage, TemporaryListingError, PermanentListingError } from '@quarry/item-listing';
import { formatDateAfter, createFakeItem, createFakeItems, FakeListing } from '@quarry/item-listing/testing';
import { createJobContext, SyncBench } from '../testing/sync-bench.js';
import { type ListingRequest, syncCatalog } from './sync-catalog.js';

let listing: FakeListing;
let bench: SyncBench;
let isDead: boolean;

beforeEach(() => {
  isDead = false;
  listing = new FakeListing(createFakeItems(30));
  bench = new SyncBench((query) => listing.readPage(query));
  bench.gateway.runs.onCall = (method) => {
    if (isDead && method === 'recordDocuments') throw new Error('the process was killed');
  };
});

/** Makes one request to the listing fail. @param request number of the request in the order of the requests, from 1 */
const failRequest = (request: number, error: () => Error): void => {
  listing.readPage = async (query) => {
    if (listing.queries.length + 1 === request) throw error();
    return listing.answerQuery(query);
  };
};

const killProcess = (): Error => {
  isDead = true;
  return new Error('killed');
};

/** Makes the gateway unavailable as soon as it has recorded the first documents. */
const stopGateway = (): void => {
  bench.gateway.runs.onReturn = (method) => {
    if (method === 'recordDocuments') bench.gateway.runs.isUnavailable = true;
  };
};

const startGateway = (): void => {
  bench.gateway.runs.onReturn = () => undefined;
  bench.gateway.runs.isUnavailable = false;
};

const restartProcess = (): void => {
  isDead = false;
  listing.readPage = async (query) => listing.answerQuery(query);
};

/**
 * Expects a new process to continue reading after the item with the number `item`, and to end the run with all items.
 */
async function expectResumedAfter(item: number, job: Awaited<ReturnType<typeof bench.startRun>>): Promise<void> {
  restartProcess();
  listing.queries.length = 0;
  await bench.syncUntilEnd(job, { starts: 2 });
  expect(listing.queries[0]?.modifiedAfter).toBe(formatDateAfter(item));
  expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
}

describe('an interrupted sync', () => {
  it('if a completed job is started again, the sync records no document twice, and reports its end only once', async () => {
    const job = await bench.startRun({ mode: 'full' });
    await bench.syncUntilEnd(job);
    await bench.syncUntilEnd(job, { starts: 2 });
    expect(bench.listKeysToIndex()).toHaveLength(30);
    expect(bench.gateway.statusQueue.listPayloads('run-enumerated')).toHaveLength(1);
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30, complete: true });
  });

  it.each(['incremental', 'full'] as const)(
    'another process completes a sync whose process was killed, in %s mode',
    async (mode) => {
      const job = await bench.startRun({ mode });
      failRequest(8, killProcess);
      await expect(bench.syncUntilEnd(job)).rejects.toThrow(/killed|dead/);
      restartProcess();
      await bench.syncUntilEnd(job, { starts: 2 });
      expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30, complete: mode === 'full' });
      expect(bench.gateway.index.size).toBe(30);
      expect(await bench.runSync()).toMatchObject({ discovered: 0 });
    },
  );

  it('if an item changes after an interrupted sync has recorded it, the next run indexes the new version, and the resumed sync does not', async () => {
    const job = await bench.startRun();
    listing.readPage = async (query) => {
      if (listing.queries.length === 0) return listing.answerQuery(query);
      await expect.poll(() => bench.listKeysToIndex()).toContain('item:i00001');
      throw killProcess();
    };
    await expect(bench.syncUntilEnd(job)).rejects.toThrow('killed');
    restartProcess();
    listing.items = [
      ...createFakeItems(30).filter(({ id }) => id !== 'i00001'),
      createFakeItem('i00001', 50, { title: 'Newer' }),
    ];
    await bench.syncUntilEnd(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    await bench.runSync();
    expect(bench.listKeysToIndex()).toEqual(['item:i00001']);
    expect(bench.gateway.index.get('item:i00001')?.markdown).toBe('# Newer\n');
  });

  it('a sync resumes from its checkpoint after a graceful shutdown', async () => {
    const job = await bench.startRun();
    const ending = new AbortController();
    listing.readPage = async (query) => {
      if (listing.queries.length === 7) ending.abort(new Error('closing'));
      return listing.answerQuery(query);
    };
    await expect(bench.syncUntilEnd(job, { signal: ending.signal })).rejects.toThrow('closing');
    restartProcess();
    listing.queries.length = 0;
    await bench.syncUntilEnd(job, { starts: 2 });
    expect(listing.queries[0]?.modifiedAfter).toBe(formatDateAfter(15));
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    expect(bench.gateway.index.size).toBe(30);
  });
});

describe('an unavailable gateway', () => {
  it('if the gateway is unavailable, the job of a sync is retried later, and completes when the gateway is available again', async () => {
    const job = await bench.startRun();
    stopGateway();
    await expect(bench.syncUntilEnd(job)).rejects.toThrow(TryLater);
    startGateway();
    await bench.syncUntilEnd(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    expect(bench.gateway.index.size).toBe(30);
  });

  it.each(['incremental', 'full'] as const)(
    'after the gateway was unavailable during a run, the next run indexes all items, in %s mode',
    async (mode) => {
      stopGateway();
      await expect(bench.syncUntilEnd(await bench.startRun({ mode }))).rejects.toThrow(TryLater);
      startGateway();
      await bench.runSync();
      expect(bench.gateway.index.size).toBe(30);
    },
  );
});

describe('an unavailable listing', () => {
  it('after a failed request to the listing, a sync is retried later, and resumes without reading a recorded page again', async () => {
    failRequest(8, () => new TemporaryListingError('listing_timeout', 'too late'));
    const job = await bench.startRun();
    const failure = { name: 'TryLater', code: 'listing_timeout', message: 'too late', delayMs: 2_000, failures: 1 };
    await expect(bench.syncUntilEnd(job)).rejects.toMatchObject(failure);
    expect(listing.queries).toHaveLength(7);
    await expectResumedAfter(13, job);
  });

  it.each(['incremental', 'full'] as const)(
    'a sync of many items of one date resumes within that date, so that it completes although requests fail again and again, in %s mode',
    async (mode) => {
      listing.items = createFakeItems(600, () => 5);
      let requests = 0;
      listing.readPage = async (query) => {
        requests += 1;
        if (requests % 20 === 0) throw new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 1 });
        return listing.answerQuery(query);
      };
      const job = await bench.startRun({ mode, pageSize: 10 });
      for (let starts = 1; starts <= 4; starts += 1) {
        const sync = bench.syncUntilEnd(job, { starts });
        await (starts < 4 ? expect(sync).rejects.toBeInstanceOf(TryLater) : sync);
      }
      expect(bench.listKeysToIndex()).toHaveLength(600);
      expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 600, complete: mode === 'full' });
    },
  );

  it('pages within one date are progress of a sync, so that the pause after the next failure is short again', async () => {
    listing.items = createFakeItems(600, () => 5);
    const job = await bench.startRun({ pageSize: 10 });
    const delays: unknown[] = [];
    for (const failing of [3, 1, 1, 5, 1]) {
      failRequest(failing, () => new TemporaryListingError('listing_unavailable', 'the listing responded with 502'));
      listing.queries.length = 0;
      const error: unknown = await bench
        .syncUntilEnd(job, { starts: delays.length + 1 })
        .catch((thrown: unknown) => thrown);
      delays.push(error instanceof TryLater ? error.delayMs : error);
    }
    expect(delays).toEqual([2_000, 4_000, 8_000, 2_000, 4_000]);
  });

  it('a full sync that resumes within one date keeps the items that moved meanwhile, and removes the items that were deleted', async () => {
    listing.items = createFakeItems(60, () => 5);
    await bench.runSync({ mode: 'full', pageSize: 10 });
    const job = await bench.startRun({ mode: 'full', pageSize: 10 });
    listing.queries.length = 0;
    failRequest(5, () => new TemporaryListingError('listing_timeout', 'too late'));
    await expect(bench.syncUntilEnd(job)).rejects.toBeInstanceOf(TryLater);
    restartProcess();
    listing.items = createFakeItems(53, (index) => (index < 5 ? 6 : 5));
    await bench.syncUntilEnd(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 53, complete: true });
    expect(bench.gateway.index.size).toBe(53);
  });

  it('the retry delay of a sync doubles with each consecutive failure, and starts again at 2 seconds after progress', async () => {
    const job = await bench.startRun();
    const delays: unknown[] = [];
    // The third start reads three more pages before its request fails.
    for (const [requests, failing] of [
      [0, 3],
      [2, 3],
      [2, 6],
      [5, 6],
    ] as const) {
      failRequest(failing, () => new TemporaryListingError('listing_unavailable', 'the listing responded with 502'));
      listing.queries.length = requests;
      const error: unknown = await bench
        .syncUntilEnd(job, { starts: delays.length + 1 })
        .catch((thrown: unknown) => thrown);
      delays.push(error instanceof TryLater ? error.delayMs : error);
    }
    expect(delays).toEqual([2_000, 4_000, 2_000, 4_000]);
  });

  it('the timeout for the response headers of a listing is 15 seconds, doubles after each failure, and is at most two minutes', async () => {
    const job = await bench.startRun();
    const timeouts: number[] = [];
    const openListing = (_job: object, { headersMs }: ListingRequest): ReadPage => {
      timeouts.push(headersMs);
      return async () => Promise.reject(new TemporaryListingError('listing_timeout', 'too late'));
    };
    for (let starts = 1; starts <= 5; starts += 1)
      await expect(
        syncCatalog({ ...bench.context, openListing }, job, createJobContext({ starts })),
      ).rejects.toMatchObject({ code: 'listing_timeout' });
    expect(timeouts).toEqual([15_000, 30_000, 60_000, 120_000, 120_000]);
  });

  it('a sync starts with a timeout for response headers that is twice the slowest response time of the previous sync', async () => {
    let elapsedMs = 0;
    listing.readPage = async (query) => {
      elapsedMs += 40_000;
      return listing.answerQuery(query);
    };
    const context = { ...bench.context, now: () => new Date(elapsedMs) };
    const slow = await bench.startRun();
    await syncCatalog(context, slow, createJobContext());
    await bench.gateway.endRun(slow.runId);
    let timeout: number | undefined;
    const openListing = (_job: object, { headersMs }: ListingRequest): ReadPage => {
      timeout = headersMs;
      return async (query) => listing.readPage(query);
    };
    await syncCatalog({ ...context, openListing }, await bench.startRun(), createJobContext());
    expect(timeout).toBe(80_000);
  });

  it('if each request to the listing fails for half an hour, a sync fails its run', async () => {
    let now = 0;
    const job = await bench.startRun();
    const context = { ...bench.context, now: () => new Date(now) };
    listing.readPage = async () => Promise.reject(new TemporaryListingError('listing_timeout', 'too late'));
    let error: unknown;
    for (let starts = 1; starts < 100; starts += 1) {
      error = await syncCatalog(context, job, createJobContext({ starts })).catch((thrown: unknown) => thrown);
      if (!(error instanceof TryLater)) break;
      now += error.delayMs;
    }
    expect(error).toBeInstanceOf(GiveUp);
    expect(error).toMatchObject({ code: 'listing_timeout' });
    expect(now).toBeLessThanOrEqual(30 * 60_000);
    expect(now).toBeGreaterThan(24 * 60_000);
  });

  it('a sync fails its run at the fifth start at the earliest, even if the delays of the queue add up to more than half an hour', async () => {
    let now = 0;
    const job = await bench.startRun();
    const context = { ...bench.context, now: () => new Date(now) };
    listing.readPage = async () => Promise.reject(new TemporaryListingError('listing_timeout', 'too late'));
    for (let starts = 1; starts < 5; starts += 1) {
      await expect(syncCatalog(context, job, createJobContext({ starts }))).rejects.toBeInstanceOf(TryLater);
      now += 3_600_000;
    }
    await expect(syncCatalog(context, job, createJobContext({ starts: 5 }))).rejects.toBeInstanceOf(GiveUp);
  });

  it('if a request of a dry run fails, the attempt of the job fails, and the queue retries the dry run from the beginning', async () => {
    failRequest(3, () => new TemporaryListingError('listing_timeout', 'too late'));
    const job = await bench.startRun({ dryRun: true });
    const failure = { name: 'AttemptFailed', code: 'listing_timeout', message: 'too late' };
    await expect(bench.syncUntilEnd(job)).rejects.toMatchObject(failure);
  });

  it('if a listing requests a pause, a sync resumes from its checkpoint after that pause, without a failed attempt', async () => {
    failRequest(8, () => new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 120_000 }));
    const job = await bench.startRun();
    const error: unknown = await bench.syncUntilEnd(job).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TryLater);
    expect(error).toMatchObject({ delayMs: 120_000, code: 'listing_rate_limited' });
    await expectResumedAfter(13, job);
  });

  it('if the listing requests a short pause each time, the pauses of a sync become longer, and the sync fails its run after half an hour without progress', async () => {
    failRequest(3, () => new TemporaryListingError('listing_rate_limited', 'never', { retryAfterMs: 20_000 }));
    const job = await bench.startRun();
    const delays: number[] = [];
    let error: unknown;
    do {
      if (error instanceof TryLater) delays.push(error.delayMs / 1_000);
      listing.queries.length = delays.length === 0 ? 0 : 2;
      error = await bench.syncUntilEnd(job, { starts: delays.length + 1 }).catch((thrown: unknown) => thrown);
    } while (error instanceof TryLater && delays.length < 100);
    expect(error).toBeInstanceOf(GiveUp);
    expect(error).toMatchObject({ code: 'listing_rate_limited' });
    expect(delays).toEqual([20, 20, 20, 20, 32, 64, 128, 256, 300, 300, 300, 300]);
  });

  it('if the listing requests a pause, a dry run fails, because it has no checkpoint from which it could resume', async () => {
    failRequest(3, () => new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 60_000 }));
    const sync = bench.syncUntilEnd(await bench.startRun({ dryRun: true }));
    const error = await sync.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GiveUp);
    expect(error).toMatchObject({ code: 'listing_rate_limited' });
  });
});

describe('a permanent error of a listing', () => {
  it('a permanent listing error fails the run, and the next run records only the documents that ingestion had not indexed', async () => {
    failRequest(8, () => new PermanentListingError('listing_not_json', 'expected JSON, found <html> (GET …)'));
    const job = await bench.startRun();
    await expect(bench.syncUntilEnd(job)).rejects.toMatchObject({
      name: 'PermanentListingError',
      code: 'listing_not_json',
    });
    expect(bench.gateway.statusQueue.listPayloads('run-enumerated')).toEqual([]);
    await bench.gateway.ingestDocuments(job.runId);
    const indexed = bench.gateway.index.size;
    await bench.gateway.cancelRun(job.runId);
    restartProcess();
    await bench.runSync();
    expect(bench.listKeysToIndex()).toHaveLength(30 - indexed);
    expect(bench.gateway.index.size).toBe(30);
  });
});
