import { text } from 'node:stream/consumers';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import type { CatalogSyncMode } from '@quarry/contracts';
import { openStatuses } from '@quarry/run-reporting';
import { CrashableProcess } from '@quarry/run-reporting/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeItem, fakeItems, FakeListing } from '@quarry/item-listing/testing';
import { jobContext, SyncBench } from '../testing/sync-bench.js';
import { syncCatalog } from './sync-catalog.js';

let listing: FakeListing;
beforeEach(() => {
  listing = new FakeListing(fakeItems(12));
});

const newBench = (): SyncBench => new SyncBench((query) => listing.read(query), inMemoryBlobStore());

interface Run {
  readonly runId: string;
  readonly isKilled: boolean;
}

/** Lets a run end, by another process when the first one is killed after so many writes. */
async function run(bench: SyncBench, mode: CatalogSyncMode, writes = Infinity): Promise<Run> {
  const first = new CrashableProcess({ killedAfter: writes });
  const { context, gateway } = bench;
  const crashable = {
    ...context,
    blobs: first.blobs(context.blobs),
    gateway: first.gateway(gateway.gateway),
    statuses: openStatuses(first.wrap(gateway.statusQueue, { writes: ['add'] })),
  };
  const job = await bench.startRun({ mode });
  const begun = syncCatalog(crashable, job, jobContext());
  await Promise.race([begun, first.death]);
  if (first.isDead) await bench.sync(job, { starts: 2 });
  return { runId: job.runId, isKilled: first.isDead };
}

interface Ended {
  readonly end: object;
  readonly index: object;
  /** Every document that was recorded, each time. */
  readonly recorded: readonly string[];
}

async function endOf({ gateway }: SyncBench, { runId }: Run): Promise<Ended> {
  const { discovered, fetched, complete, note, listingState } = await gateway.endRun(runId);
  const index = [...gateway.index].map(
    ([key, { markdown, document }]) => [key, { markdown, name: document.name }] as const,
  );
  const { toIndex, settled } = gateway.recorded(runId);
  return {
    end: { discovered, fetched, complete, note, listingState },
    index: Object.fromEntries(index.toSorted()),
    recorded: [...toIndex, ...settled].map(({ documentKey }) => documentKey).toSorted(),
  };
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
  readonly isKilled: boolean;
}> {
  const bench = newBench();
  listing.items = fakeItems(12);
  const first = await run(bench, mode, killed.first);
  const ends = [await endOf(bench, first)];
  change();
  const second = await run(bench, mode, killed.second);
  ends.push(await endOf(bench, second));
  expect(await keysOfRun(bench, 1)).toEqual([]);
  ends.push(await endOf(bench, await run(bench, 'full')));
  return { ends, blobs: await kept(bench), isKilled: first.isKilled || second.isKilled };
}

describe.each(['incremental', 'full'] as const)('a sync that is killed after any of its writes: %s', (mode) => {
  it.each(['first', 'second'] as const)(
    'ends as if it had not been, and leaves nothing behind: the %s run',
    async (which) => {
      const undisturbed = await life(mode, {});
      let windows = 0;
      for (let isKilled = true; isKilled; windows += 1) {
        const disturbed = await life(mode, { [which]: windows + 1 });
        expect(disturbed.ends, `after ${windows + 1} writes`).toEqual(undisturbed.ends);
        expect(disturbed.blobs, `after ${windows + 1} writes`).toEqual(undisturbed.blobs);
        ({ isKilled } = disturbed);
      }
      expect(windows).toBeGreaterThan(5);
    },
  );
});
