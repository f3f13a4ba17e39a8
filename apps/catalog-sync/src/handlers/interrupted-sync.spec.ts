import { GiveUp, TryLater } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { TemporaryListingError, PermanentListingError } from '@quarry/item-listing';
import { dateAfter, createFakeItem, createFakeItems, FakeListing } from '@quarry/item-listing/testing';
import { SyncBench } from '../testing/sync-bench.js';

let listing: FakeListing;
let bench: SyncBench;
let isDead: boolean;

beforeEach(() => {
  isDead = false;
  listing = new FakeListing(createFakeItems(30));
  bench = new SyncBench((query) => listing.read(query));
  bench.gateway.runs.onCall = (method) => {
    if (isDead && method === 'recordDocuments') throw new Error('the process is dead');
  };
});

/** Makes one request to the listing fail. @param request number of the request, from 1 */
const failAt = (request: number, error: () => Error): void => {
  listing.read = async (query) => {
    if (listing.queries.length + 1 === request) throw error();
    return listing.answer(query);
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
  listing.read = async (query) => listing.answer(query);
};

describe('an interrupted sync', () => {
  it('records no document again when a sync is started twice', async () => {
    const job = await bench.startRun({ mode: 'full' });
    await bench.sync(job);
    await bench.sync(job, { starts: 2 });
    expect(bench.listKeysToIndex()).toHaveLength(30);
    expect(bench.gateway.statusQueue.listPayloads('run-enumerated')).toHaveLength(1);
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30, complete: true });
  });

  it.each(['incremental', 'full'] as const)('completes a sync whose process was killed: %s', async (mode) => {
    const job = await bench.startRun({ mode });
    failAt(8, killProcess);
    await expect(bench.sync(job)).rejects.toThrow(/killed|dead/);
    restartProcess();
    await bench.sync(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30, complete: mode === 'full' });
    expect(bench.gateway.index.size).toBe(30);
    expect(await bench.run()).toMatchObject({ discovered: 0 });
  });

  it('defers an item to the next run if it changed between two starts after the run had recorded it', async () => {
    const job = await bench.startRun();
    listing.read = async (query) => {
      if (listing.queries.length === 0) return listing.answer(query);
      await expect.poll(() => bench.listKeysToIndex()).toContain('item:i00001');
      throw killProcess();
    };
    await expect(bench.sync(job)).rejects.toThrow('killed');
    restartProcess();
    listing.items = [
      ...createFakeItems(30).filter(({ id }) => id !== 'i00001'),
      createFakeItem('i00001', 50, { title: 'Newer' }),
    ];
    await bench.sync(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    await bench.run();
    expect(bench.listKeysToIndex()).toEqual(['item:i00001']);
    expect(bench.gateway.index.get('item:i00001')?.markdown).toBe('# Newer\n');
  });

  it('resumes a sync from its checkpoint after a graceful shutdown', async () => {
    const job = await bench.startRun();
    const ending = new AbortController();
    listing.read = async (query) => {
      if (listing.queries.length === 7) ending.abort(new Error('closing'));
      return listing.answer(query);
    };
    await expect(bench.sync(job, { signal: ending.signal })).rejects.toThrow('closing');
    restartProcess();
    listing.queries.length = 0;
    await bench.sync(job, { starts: 2 });
    expect(listing.queries[0]?.modifiedAfter).toBe(dateAfter(15));
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    expect(bench.gateway.index.size).toBe(30);
  });
});

describe('an unavailable gateway', () => {
  it('retries a sync later while the gateway is unavailable, and resumes it', async () => {
    const job = await bench.startRun();
    stopGateway();
    await expect(bench.sync(job)).rejects.toThrow(TryLater);
    startGateway();
    await bench.sync(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    expect(bench.gateway.index.size).toBe(30);
  });

  it.each(['incremental', 'full'] as const)(
    'starts the next run normally after the gateway was unavailable: %s',
    async (mode) => {
      stopGateway();
      await expect(bench.sync(await bench.startRun({ mode }))).rejects.toThrow(TryLater);
      startGateway();
      await bench.run();
      expect(bench.gateway.index.size).toBe(30);
    },
  );
});

describe('an unavailable listing', () => {
  it('retries a request a few times within one attempt when the listing is unavailable', async () => {
    let left = 3;
    listing.read = async (query) => {
      if (listing.queries.length === 4 && left > 0) {
        left -= 1;
        throw new TemporaryListingError('listing_unavailable', 'the listing answered 502');
      }
      return listing.answer(query);
    };
    expect(await bench.run({ mode: 'full' })).toMatchObject({ discovered: 30, complete: true });
    expect(bench.waits).toEqual([1_000, 4_000, 15_000]);
  });

  it('fails the attempt with an error code, so that the queue retries an unavailable listing', async () => {
    failAt(3, () => new TemporaryListingError('listing_timeout', 'too late'));
    const job = await bench.startRun();
    const failure = { name: 'AttemptFailed', code: 'listing_timeout', message: 'too late' };
    await expect(bench.sync(job)).rejects.toMatchObject(failure);
    await expect(bench.sync(job, { starts: 2, attempt: 5, lastAttempt: true })).rejects.toMatchObject(failure);
  });

  it('retries a sync after the pause that the listing requests, without using an attempt or losing progress', async () => {
    failAt(8, () => new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 120_000 }));
    const job = await bench.startRun();
    const error: unknown = await bench.sync(job).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TryLater);
    expect(error).toMatchObject({ delayMs: 120_000, code: 'listing_rate_limited' });
    expect(bench.waits).toEqual([]);
    restartProcess();
    listing.queries.length = 0;
    await bench.sync(job, { starts: 2 });
    expect(listing.queries[0]?.modifiedAfter).toBe(dateAfter(13));
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
  });

  it('waits within the attempt when the listing requests a short pause', async () => {
    let left = 1;
    listing.read = async (query) => {
      if ((left -= 1) === 0) throw new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 2_000 });
      return listing.answer(query);
    };
    expect(await bench.run()).toMatchObject({ discovered: 30 });
    expect(bench.waits).toEqual([2_000]);
  });

  it('fails the run when the listing requests pauses again and again without any progress', async () => {
    failAt(3, () => new TemporaryListingError('listing_rate_limited', 'never', { retryAfterMs: 60_000 }));
    const job = await bench.startRun();
    let error: unknown;
    let starts = 0;
    do {
      starts += 1;
      listing.queries.length = starts === 1 ? 0 : 2;
      error = await bench.sync(job, { starts }).catch((thrown: unknown) => thrown);
    } while (error instanceof TryLater && starts < 100);
    expect(error).toBeInstanceOf(GiveUp);
    expect(error).toMatchObject({ code: 'listing_rate_limited' });
    expect(starts).toBe(13);
  });

  it('fails a dry run when the listing requests a pause, because a dry run has no checkpoint', async () => {
    failAt(3, () => new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 60_000 }));
    await expect(bench.sync(await bench.startRun({ dryRun: true }))).rejects.toMatchObject({
      code: 'listing_rate_limited',
    });
  });
});

describe('a listing with a permanent error', () => {
  it('fails the run on a permanent listing error, and the next run repeats only documents that are not indexed', async () => {
    failAt(8, () => new PermanentListingError('listing_not_json', 'expected JSON, found <html> (GET …)'));
    const job = await bench.startRun();
    await expect(bench.sync(job)).rejects.toMatchObject({ name: 'ListingBroken', code: 'listing_not_json' });
    expect(bench.gateway.statusQueue.listPayloads('run-enumerated')).toEqual([]);
    await bench.gateway.ingest(job.runId);
    const indexed = bench.gateway.index.size;
    await bench.gateway.cancel(job.runId);
    restartProcess();
    await bench.run();
    expect(bench.listKeysToIndex()).toHaveLength(30 - indexed);
    expect(bench.gateway.index.size).toBe(30);
  });
});
