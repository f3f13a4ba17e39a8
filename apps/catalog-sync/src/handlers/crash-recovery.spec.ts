import { text } from 'node:stream/consumers';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import type { CatalogSyncMode } from '@quarry/contracts';
import { createStatusEmitter } from '@quarry/run-reporting';
import { CrashableProcess } from '@quarry/run-reporting/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeItem, createFakeItems, FakeListing } from '@quarry/item-listing/testing';
import { createJobContext, SyncBench } from '../testing/sync-bench.js';
import { syncCatalog } from './sync-catalog.js';

let listing: FakeListing;
beforeEach(() => {
  listing = new FakeListing(createFakeItems(12));
});

const createBench = (): SyncBench => new SyncBench((query) => listing.readPage(query), createInMemoryBlobStore());

interface Run {
  readonly runId: string;
  readonly isKilled: boolean;
}

/** Runs a sync to its end. If the first process is killed after `writes` writes, a second process continues. */
async function runSync(bench: SyncBench, mode: CatalogSyncMode, writes = Infinity): Promise<Run> {
  const first = new CrashableProcess({ killedAfter: writes });
  const { context, gateway } = bench;
  const crashable = {
    ...context,
    blobs: first.wrapBlobStore(context.blobs),
    gateway: first.wrapGateway(gateway.gateway),
    statuses: createStatusEmitter(first.wrapPort(gateway.statusQueue, { writes: ['add'] })),
  };
  const job = await bench.startRun({ mode });
  const syncing = syncCatalog(crashable, job, createJobContext());
  await Promise.race([syncing, first.death]);
  if (first.isDead) await bench.syncUntilEnd(job, { starts: 2 });
  return { runId: job.runId, isKilled: first.isDead };
}

interface EndedRun {
  readonly end: object;
  readonly index: object;
  /** The document keys of all recorded documents, including repetitions. */
  readonly recorded: readonly string[];
}

async function endRun({ gateway }: SyncBench, { runId }: Run): Promise<EndedRun> {
  const { discovered, fetched, complete, note, listingState } = await gateway.endRun(runId);
  const index = [...gateway.index].map(
    ([key, { markdown, document }]) => [key, { markdown, name: document.name }] as const,
  );
  const { toIndex, settled } = gateway.getRecordedDocuments(runId);
  return {
    end: { discovered, fetched, complete, note, listingState },
    index: Object.fromEntries(index.toSorted()),
    recorded: [...toIndex, ...settled].map(({ documentKey }) => documentKey).toSorted(),
  };
}

async function listBlobs({ blobs }: SyncBench): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = [];
  for await (const key of blobs.list('organization/')) found.push([key, await text(await blobs.read(key))]);
  return found.toSorted();
}

async function listBlobsOfRun(bench: SyncBench, generation: number): Promise<readonly string[]> {
  return (await listBlobs(bench)).map(([key]) => key).filter((key) => key.includes(`/runs/${generation}/`));
}

const changeShop = (): void => {
  const [, , ...others] = createFakeItems(11);
  listing.items = [
    ...others.filter(({ id }) => id !== 'i00005'),
    createFakeItem('i00005', 50),
    createFakeItem('new', 60),
  ];
};

/** Runs a sync, changes the shop, runs a second sync, and then a full sync that finds no changes. */
async function runThreeSyncs(
  mode: CatalogSyncMode,
  killedAfter: { readonly first?: number; readonly second?: number },
): Promise<{
  readonly ends: readonly EndedRun[];
  readonly blobs: readonly (readonly [string, string])[];
  readonly isKilled: boolean;
}> {
  const bench = createBench();
  listing.items = createFakeItems(12);
  const first = await runSync(bench, mode, killedAfter.first);
  const ends = [await endRun(bench, first)];
  changeShop();
  const second = await runSync(bench, mode, killedAfter.second);
  ends.push(await endRun(bench, second));
  expect(await listBlobsOfRun(bench, 1)).toEqual([]);
  ends.push(await endRun(bench, await runSync(bench, 'full')));
  return { ends, blobs: await listBlobs(bench), isKilled: first.isKilled || second.isKilled };
}

describe.each(['incremental', 'full'] as const)('crash recovery of the catalogue sync in %s mode', (mode) => {
  it.each(['first', 'second'] as const)(
    'if the %s run is killed after any of its writes, three syncs have the same result as without a crash, and leave no blobs',
    async (which) => {
      const uninterrupted = await runThreeSyncs(mode, {});
      let windows = 0;
      for (let isKilled = true; isKilled; windows += 1) {
        const interrupted = await runThreeSyncs(mode, { [which]: windows + 1 });
        expect(interrupted.ends, `after ${windows + 1} writes`).toEqual(uninterrupted.ends);
        expect(interrupted.blobs, `after ${windows + 1} writes`).toEqual(uninterrupted.blobs);
        ({ isKilled } = interrupted);
      }
      expect(windows).toBeGreaterThan(5);
    },
  );
});
