import { Readable } from 'node:stream';
import { cancelRuns } from '@quarry/blob-store';
import { ingestionQueue } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { collectionOf } from '../indexing/index-document.js';
import { TEXT, EMBEDDING, useWorkers, type WorkerUnderTest } from '../testing/worker-under-test.js';
import { handleRemoveDatasource } from './removals.js';

const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('indexing that is cut short', { timeout: 60_000 }, () => {
  it('leaves and tells the same when it runs again after it died between storing and telling', async () => {
    let deaths = 0;
    const dying = start({
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          await store.replaceDocument(collection, version);
          deaths += 1;
          if (deaths === 1) throw new Error('the process is gone');
        },
      }),
    });
    const job = await dying.upload(TEXT, { embedding: EMBEDDING });
    await expect(dying.endOf(job)).resolves.toMatchObject({
      status: 'synched',
      counters: { indexed: 1, unchanged: 0 },
    });
    expect(dying.embeddings()).toBe(1);
    await expect(dying.search('warranty', job)).resolves.toHaveLength(1);
  });

  it('stores nothing when it is stopped in the middle, and everything when it runs again', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    let during: unknown;
    worker.onNextEmbedding(async () => {
      during = await worker.stored(job);
      throw new Error('the process is gone');
    });
    await expect(worker.endOf(job)).resolves.toMatchObject({ status: 'synched' });
    expect(during).toBeUndefined();
    await expect(worker.stored(job)).resolves.toMatchObject({ fragments: 1, generation: job.generation });
  });

  it.each([true, false])('stores nothing of a run that was cancelled, part of a run: %s', async (partOfRun) => {
    const job = await worker.upload(TEXT, partOfRun ? { partOfRun } : {});
    await cancelRuns(worker.blobs, job);
    await expect(worker.endOf(job)).resolves.toMatchObject({ code: 'cancelled' });
    await expect(worker.stored(job)).resolves.toBeUndefined();
    expect(worker.queues.failed(ingestionQueue)).toEqual([]);
    const next = await worker.upload(TEXT);
    await expect(worker.endOf(next)).resolves.toMatchObject({ status: 'synched' });
  });

  it('takes back what it stored when its datasource was removed meanwhile', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const { organizationId, datastoreId, datasourceId } = job;
    worker.onNextEmbedding(async (embed) => {
      const prefix = `${organizationId}/${datastoreId}/${datasourceId}/`;
      await worker.blobs.removeAll(prefix);
      await worker.fragmentStore.removeDatasource(collectionOf(EMBEDDING), job);
      return embed();
    });
    await expect(worker.endOf(job)).resolves.toMatchObject({ status: 'error', code: 'content_missing' });
    await expect(worker.stored(job)).resolves.toBeUndefined();
  });

  it('takes back what it stored for a removed datasource whose crawler put the blob there again', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING, datasourceType: 'web_site', partOfRun: true });
    worker.onNextEmbedding(async (embed) => {
      await handleRemoveDatasource(worker, job);
      await worker.blobs.write(job.blobKey, Readable.from([TEXT]));
      return embed();
    });
    await expect(worker.endOf(job)).resolves.toMatchObject({ outcome: 'failed', code: 'content_missing' });
    await expect(worker.stored(job)).resolves.toBeUndefined();
  });
});
