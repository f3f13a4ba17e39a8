import { text } from 'node:stream/consumers';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import type { CatalogSyncMode, RunEnumerated } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeItem, fakeItems, FakeListing } from '../testing/fake-listing.js';
import { Mortal } from '../testing/mortal.js';
import { jobContext, SyncBench } from '../testing/sync-bench.js';
import { syncCatalog } from './sync-catalog.js';

let listing: FakeListing;
beforeEach(() => {
  listing = new FakeListing(fakeItems(12));
});

const newBench = (): SyncBench => new SyncBench((query) => listing.read(query), inMemoryBlobStore());

/** Lets a run end, by another process when the first one is killed after so many writes. @returns whether it was */
async function run(bench: SyncBench, mode: CatalogSyncMode, writes = Infinity): Promise<boolean> {
  const mortal = new Mortal(writes);
  const { context, gateway } = bench;
  const first = Object.assign({}, context, {
    blobs: mortal.blobs(context.blobs),
    ingestion: mortal.producer(gateway.ingestionQueue),
    status: mortal.producer(gateway.statusQueue),
  });
  const job = bench.nextJob({ mode });
  const begun = syncCatalog(first, job, jobContext());
  if (writes === Infinity) await begun;
  else await begun.catch(() => undefined);
  if (mortal.isDead) await bench.sync(job, { starts: 2 });
  return mortal.isDead;
}

interface Ended {
  readonly told: Omit<RunEnumerated, 'at'>;
  readonly index: object;
  /** Every document that was handed over or settled, each time. */
  readonly named: readonly string[];
}

async function endOf({ gateway }: SyncBench, runId: string): Promise<Ended> {
  const told = Object.assign({}, await gateway.endRun(runId), { at: '' });
  const index = [...gateway.index].map(([key, { markdown, job }]) => [key, { markdown, name: job.name }] as const);
  const named = [...gateway.indexJobs(runId), ...gateway.settled(runId)].map(({ documentKey }) => documentKey);
  return { told, index: Object.fromEntries(index.toSorted()), named: named.toSorted() };
}

async function kept({ blobs }: SyncBench): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = [];
  for await (const key of blobs.list('organization/')) found.push([key, await text(await blobs.read(key))]);
  return found.toSorted();
}

async function keysOfRun(bench: SyncBench, generation: number): Promise<readonly string[]> {
  return (await kept(bench)).map(([key]) => key).filter((key) => key.includes(`/runs/${generation}/`));
}

const change = (): void => {
  const [, , ...others] = fakeItems(11);
  listing.items = [...others.filter(({ id }) => id !== 'i00005'), fakeItem('i00005', 50), fakeItem('new', 60)];
};

/** Two runs over a shop that changes between them, and a third that finds nothing to do. */
async function life(
  mode: CatalogSyncMode,
  killed: { readonly first?: number; readonly second?: number },
): Promise<{
  readonly ends: readonly Ended[];
  readonly blobs: readonly (readonly [string, string])[];
  readonly died: boolean;
}> {
  const bench = newBench();
  listing.items = fakeItems(12);
  const died = [await run(bench, mode, killed.first)];
  const ends = [await endOf(bench, 'run-1')];
  change();
  died.push(await run(bench, mode, killed.second));
  ends.push(await endOf(bench, 'run-2'));
  expect(await keysOfRun(bench, 1)).toEqual([]);
  await run(bench, 'full');
  ends.push(await endOf(bench, 'run-3'));
  return { ends, blobs: await kept(bench), died: died.includes(true) };
}

describe.each(['incremental', 'full'] as const)('a sync that is killed after any of its writes: %s', (mode) => {
  it.each(['first', 'second'] as const)(
    'ends as if it had not been, and leaves nothing behind: the %s run',
    async (which) => {
      const undisturbed = await life(mode, {});
      let windows = 0;
      for (let died = true; died; windows += 1) {
        const disturbed = await life(mode, { [which]: windows + 1 });
        expect(disturbed.ends, `after ${windows + 1} writes`).toEqual(undisturbed.ends);
        expect(disturbed.blobs, `after ${windows + 1} writes`).toEqual(undisturbed.blobs);
        died = disturbed.died;
      }
      expect(windows).toBeGreaterThan(8);
    },
  );

  it('says the same again, and asks for nothing, when only that was left to do', async () => {
    const bench = newBench();
    const job = bench.nextJob({ mode });
    await bench.sync(job);
    listing.queries.length = 0;
    change();
    await bench.sync(job, { starts: 2 });
    expect(listing.queries).toEqual([]);
    expect(bench.gateway.indexJobs('run-1')).toHaveLength(12);
  });
});
