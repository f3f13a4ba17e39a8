import { GiveUp, TryLater } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { TemporaryListingError, PermanentListingError } from '@quarry/item-listing';
import { at, fakeItem, fakeItems, FakeListing } from '@quarry/item-listing/testing';
import { SyncBench } from '../testing/sync-bench.js';

let listing: FakeListing;
let bench: SyncBench;
let isDead: boolean;

beforeEach(() => {
  isDead = false;
  listing = new FakeListing(fakeItems(30));
  bench = new SyncBench((query) => listing.read(query));
  bench.gateway.runs.onCall = (method) => {
    if (isDead && method === 'recordDocuments') throw new Error('the process is dead');
  };
});

/** Lets the request with this number fail. Numbers start at 1. */
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

/** Makes the gateway unavailable after it has recorded the first documents. */
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

describe('a sync that is started twice', () => {
  it('records nothing new in its second start', async () => {
    const job = await bench.startRun({ mode: 'full' });
    await bench.sync(job);
    await bench.sync(job, { starts: 2 });
    expect(bench.toIndex()).toHaveLength(30);
    expect(bench.gateway.statusQueue.payloads('run-enumerated')).toHaveLength(1);
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30, complete: true });
  });

  it.each(['incremental', 'full'] as const)('completes after it was killed: %s', async (mode) => {
    const job = await bench.startRun({ mode });
    failAt(8, killProcess);
    await expect(bench.sync(job)).rejects.toThrow(/killed|dead/);
    restartProcess();
    await bench.sync(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30, complete: mode === 'full' });
    expect(bench.gateway.index.size).toBe(30);
    expect(await bench.run()).toMatchObject({ discovered: 0 });
  });

  it('defers to the next run an item that changed between two starts after the run had recorded it', async () => {
    const job = await bench.startRun();
    listing.read = async (query) => {
      if (listing.queries.length === 0) return listing.answer(query);
      await expect.poll(() => bench.toIndex()).toContain('item:i00001');
      throw killProcess();
    };
    await expect(bench.sync(job)).rejects.toThrow('killed');
    restartProcess();
    listing.items = [...fakeItems(30).filter(({ id }) => id !== 'i00001'), fakeItem('i00001', 50, { title: 'Newer' })];
    await bench.sync(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    await bench.run();
    expect(bench.toIndex()).toEqual(['item:i00001']);
    expect(bench.gateway.index.get('item:i00001')?.markdown).toBe('# Newer\n');
  });

  it('continues from its checkpoint after a graceful shutdown', async () => {
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
    expect(listing.queries[0]?.modifiedAfter).toBe(at(15));
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    expect(bench.gateway.index.size).toBe(30);
  });
});

describe('an unavailable gateway', () => {
  it('is retried later, and the sync continues', async () => {
    const job = await bench.startRun();
    stopGateway();
    await expect(bench.sync(job)).rejects.toThrow(TryLater);
    startGateway();
    await bench.sync(job, { starts: 2 });
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
    expect(bench.gateway.index.size).toBe(30);
  });

  it.each(['incremental', 'full'] as const)('does not affect the next run: %s', async (mode) => {
    stopGateway();
    await expect(bench.sync(await bench.startRun({ mode }))).rejects.toThrow(TryLater);
    startGateway();
    await bench.run();
    expect(bench.gateway.index.size).toBe(30);
  });
});

describe('an unavailable listing', () => {
  it('is retried a few times within one attempt', async () => {
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

  it('is retried by the queue, with an error code for users', async () => {
    failAt(3, () => new TemporaryListingError('listing_timeout', 'too late'));
    const job = await bench.startRun();
    const failure = { name: 'AttemptFailed', code: 'listing_timeout', message: 'too late' };
    await expect(bench.sync(job)).rejects.toMatchObject(failure);
    await expect(bench.sync(job, { starts: 2, attempt: 5, lastAttempt: true })).rejects.toMatchObject(failure);
  });

  it('is retried after the requested pause, which counts as no attempt and keeps the progress', async () => {
    failAt(8, () => new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 120_000 }));
    const job = await bench.startRun();
    const error: unknown = await bench.sync(job).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TryLater);
    expect(error).toMatchObject({ delayMs: 120_000, code: 'listing_rate_limited' });
    expect(bench.waits).toEqual([]);
    restartProcess();
    listing.queries.length = 0;
    await bench.sync(job, { starts: 2 });
    expect(listing.queries[0]?.modifiedAfter).toBe(at(13));
    expect(await bench.gateway.endRun(job.runId)).toMatchObject({ discovered: 30 });
  });

  it('is retried within the attempt when the requested pause is short', async () => {
    let left = 1;
    listing.read = async (query) => {
      if ((left -= 1) === 0) throw new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 2_000 });
      return listing.answer(query);
    };
    expect(await bench.run()).toMatchObject({ discovered: 30 });
    expect(bench.waits).toEqual([2_000]);
  });

  it('fails the run when it requests pauses without allowing progress', async () => {
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

  it('fails a dry run, which has no checkpoint to continue from', async () => {
    failAt(3, () => new TemporaryListingError('listing_rate_limited', 'slowly', { retryAfterMs: 60_000 }));
    await expect(bench.sync(await bench.startRun({ dryRun: true }))).rejects.toMatchObject({
      code: 'listing_rate_limited',
    });
  });
});

describe('a listing with a permanent error', () => {
  it('fails the run, and the next run repeats only documents that are not indexed', async () => {
    failAt(8, () => new PermanentListingError('listing_not_json', 'expected JSON, found <html> (GET …)'));
    const job = await bench.startRun();
    await expect(bench.sync(job)).rejects.toMatchObject({ name: 'ListingBroken', code: 'listing_not_json' });
    expect(bench.gateway.statusQueue.payloads('run-enumerated')).toEqual([]);
    await bench.gateway.ingest(job.runId);
    const indexed = bench.gateway.index.size;
    await bench.gateway.cancel(job.runId);
    restartProcess();
    await bench.run();
    expect(bench.toIndex()).toHaveLength(30 - indexed);
    expect(bench.gateway.index.size).toBe(30);
  });
});
