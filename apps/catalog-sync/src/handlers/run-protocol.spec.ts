import { text } from 'node:stream/consumers';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { silentLog } from '@quarry/queue/testing';
import { openRunWatch, createStatusEmitter } from '@quarry/run-reporting';
import { describeRunWorker, type RunWorkerUnderTest } from '@quarry/run-reporting/testing';
import { createFakeItem, createFakeItems, FakeListing } from '@quarry/item-listing/testing';
import { createJobContext, SyncBench } from '../testing/sync-bench.js';
import { getDatasourceFolder } from '@quarry/blob-store';
import { syncCatalog } from './sync-catalog.js';

const POLL_MS = 5;

/** Opens the second run of a listing that has unchanged items, one changed item, one new item and one removed item. */
async function openRun(): Promise<RunWorkerUnderTest> {
  const listing = new FakeListing(createFakeItems(8));
  const blobs = createInMemoryBlobStore();
  const bench = new SyncBench((query) => listing.readPage(query), blobs);
  await bench.runSync({ mode: 'full' });
  const [, , ...others] = createFakeItems(8);
  listing.items = [...others, createFakeItem('i00001', 50), createFakeItem('new', 60)];
  const job = await bench.startRun({ mode: 'full' });
  const { runs, statusQueue } = bench.gateway;

  const listBlobs = async (): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const key of blobs.list(getDatasourceFolder(job))) keys.push(key);
    return keys;
  };
  return {
    gateway: runs,
    run: job,
    startJob: async (process, starts) => {
      const gateway = process.wrapGateway(bench.gateway.gateway);
      const context = {
        ...bench.context,
        ...{ gateway, blobs: process.wrapBlobStore(blobs), watch: openRunWatch(gateway, silentLog, POLL_MS) },
        statuses: createStatusEmitter(process.wrapPort(statusQueue, { writes: ['add'] })),
      };
      await syncCatalog(context, job, createJobContext({ starts }));
    },
    deleteDatasource: async () => {
      await runs.removeDatasource(job);
      await blobs.removeAll(getDatasourceFolder(job));
    },
    // Compares contents instead of blob keys: another start of the job can store the same contents in other blobs.
    readOutcome: async () => {
      const { toIndex, settled } = runs.getRecordedDocuments(job);
      const documents = toIndex.map(async ({ blobKey, blobPart, ...document }) => ({
        ...document,
        content: await text(await blobs.read(blobKey, blobPart)),
      }));
      return {
        documents: (await Promise.all(documents)).toSorted(compareByKey),
        settled: settled.toSorted(compareByKey),
        ends: statusQueue
          .listPayloads('run-enumerated')
          .filter(({ runId }) => runId === job.runId)
          .map(({ complete, discovered, fetched, note, listingState }) => ({
            ...{ complete, discovered, fetched, note, listingState },
          })),
        failures: statusQueue.listPayloads('status-changed').filter(({ status }) => status !== 'running'),
      };
    },
    listStoredContent: listBlobs,
  };
}

function compareByKey(a: { readonly documentKey: string }, b: { readonly documentKey: string }): number {
  return a.documentKey < b.documentKey ? -1 : 1;
}

describeRunWorker('the catalogue synchronisation', openRun);
