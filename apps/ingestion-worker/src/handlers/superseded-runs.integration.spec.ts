import { Readable } from 'node:stream';
import { getDatasourceFolder } from '@quarry/blob-store';
import { ingestionQueue, TryLater } from '@quarry/contracts';
import { createInMemoryEmbedder } from '@quarry/embedder/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  TEXT,
  EMBEDDING,
  selectDeterministicEvents,
  useWorkers,
  type IndexingJob,
  type WorkerUnderTest,
} from '../testing/worker-under-test.js';
import { removeDatasource } from './remove-content.js';

const start = useWorkers();
const MAX_ATTEMPTS = ingestionQueue.jobs['index-document'].attempts;
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('an interrupted indexing job', { timeout: 60_000 }, () => {
  it('if a job crashes after it stored a document, the repeated job reports the document as indexed and embeds no text again', async () => {
    let crashes = 0;
    const crashing = start({
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          await store.replaceDocument(collection, version);
          crashes += 1;
          if (crashes === 1) throw new Error('the process crashed');
        },
      }),
    });
    const job = await crashing.upload(TEXT, { embedding: EMBEDDING });
    await expect(crashing.indexAndGetLastEvent(job)).resolves.toMatchObject({
      status: 'synched',
      counters: { indexed: 1, unchanged: 0 },
    });
    expect(crashing.countEmbeddingCalls()).toBe(1);
    await expect(crashing.search('warranty', job)).resolves.toHaveLength(1);
  });

  it('if a job crashes after it confirmed the stored version of an unchanged document, the repeated job reports the document as unchanged', async () => {
    let crashes = 0;
    const crashing = start({
      wrapStore: (store) => ({
        ...store,
        confirmDocument: async (collection, document, found) => {
          const isConfirmed = await store.confirmDocument(collection, document, found);
          crashes += 1;
          if (crashes === 1) throw new Error('the process crashed');
          return isConfirmed;
        },
      }),
    });
    await crashing.index(await crashing.upload(TEXT, { embedding: EMBEDDING }));
    const again = await crashing.upload(TEXT, { embedding: EMBEDDING });
    await expect(crashing.indexAndGetLastEvent(again)).resolves.toMatchObject({
      counters: { indexed: 0, unchanged: 1 },
    });
    expect(crashes).toBe(2);
    expect(crashing.countEmbeddingCalls()).toBe(1);
  });

  it('a job that crashes while it embeds stores no fragments, and the repeated job stores all fragments', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    let during: unknown;
    worker.onNextEmbedding(async () => {
      during = await worker.describeStored(job);
      throw new Error('the process crashed');
    });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched' });
    expect(during).toBeUndefined();
    await expect(worker.describeStored(job)).resolves.toMatchObject({ fragments: 1, generation: job.generation });
  });

  it.each([true, false])(
    'the worker does not index a document whose run has ended (the run has several documents: %s)',
    async (partOfRun) => {
      const job = await worker.upload(TEXT, { embedding: EMBEDDING, ...(partOfRun ? { partOfRun } : {}) });
      worker.gateway.addRun(job);
      await worker.gateway.endRun(job);
      expect(selectDeterministicEvents(await worker.index(job))).toEqual([]);
      expect([worker.countEmbeddingCalls(), await worker.describeStored(job)]).toEqual([0, undefined]);
      expect(worker.queues.listFailures(ingestionQueue)).toEqual([]);
      const next = await worker.upload(TEXT);
      await expect(worker.indexAndGetLastEvent(next)).resolves.toMatchObject({ status: 'synched' });
    },
  );

  it.each(['cancelled', 'superseded'] as const)('the worker aborts an indexing job when its run is %s', async (how) => {
    const busy = start({
      getEmbedder: () => ({
        ...createInMemoryEmbedder(EMBEDDING),
        embedDocuments: async (_texts, { signal } = {}) => {
          await (how === 'cancelled' ? busy.gateway.endRun(job) : busy.gateway.startRun(job.datasourceId));
          return new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => {
              reject(new Error('aborted'));
            });
          });
        },
      }),
    });
    const job = await busy.upload(TEXT, { embedding: EMBEDDING });
    expect(selectDeterministicEvents(await busy.index(job))).toEqual([]);
    await expect(busy.describeStored(job)).resolves.toBeUndefined();
    expect(busy.queues.listFailures(ingestionQueue)).toEqual([]);
  });

  it('the worker stores no fragments if the run ended before the document was written', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(async (embed) => {
      await worker.gateway.endRun(job);
      await new Promise<void>((resolve) => {
        worker.gateway.onReturn = () => {
          resolve();
        };
      });
      return embed();
    });
    await worker.index(job);
    await expect(worker.describeStored(job)).resolves.toBeUndefined();
  });

  it('the worker reports a document as indexed if it stored the document while the run was being cancelled', async () => {
    const storing = start({
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          await storing.gateway.endRun(job);
          await store.replaceDocument(collection, version);
        },
      }),
    });
    const job = await storing.upload(TEXT, { partOfRun: true, version: 'v1' });
    await expect(storing.indexAndGetLastEvent(job)).resolves.toMatchObject({
      outcome: 'indexed',
      fragments: 1,
      version: 'v1',
    });
    await expect(storing.describeStored(job)).resolves.toMatchObject({ fragments: 1 });
  });

  it('the worker does not report a document as failed if its blob is missing because a newer run has started', async () => {
    const job = await worker.upload(TEXT);
    await worker.blobs.remove(job.blobKey);
    worker.gateway.addRun(job);
    let calls = 0;
    worker.gateway.onReturn = () => {
      calls += 1;
      if (calls === 1) void worker.gateway.startRun(job.datasourceId);
    };
    expect(selectDeterministicEvents(await worker.index(job))).toEqual([]);
    expect(worker.queues.listFailures(ingestionQueue)).toEqual([]);
  });
});

describe('indexing for a datasource that is deleted during the job', { timeout: 60_000 }, () => {
  /** Deletes the datasource of a job, and removes the content of the datasource. */
  const deleteDatasource = async (target: WorkerUnderTest, job: IndexingJob): Promise<void> => {
    await target.gateway.removeDatasource(job);
    await removeDatasource(target, job);
  };
  const listStoredContent = async (target: WorkerUnderTest, job: IndexingJob): Promise<readonly unknown[]> => {
    const blobs: string[] = [];
    for await (const key of target.blobs.list(getDatasourceFolder(job))) blobs.push(key);
    const stored = await target.describeStored(job);
    return stored === undefined ? blobs : [...blobs, stored];
  };

  it('the worker stores no fragments if the datasource was removed before the document was written', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(async (embed) => {
      await deleteDatasource(worker, job);
      return embed();
    });
    expect(selectDeterministicEvents(await worker.index(job))).toEqual([]);
    await expect(listStoredContent(worker, job)).resolves.toEqual([]);
  });

  it.each([0, 1])(
    'the worker removes a document that it has stored for a deleted datasource (failed removals before the successful one: %s)',
    async (failures) => {
      let left = failures;
      const storing = start({
        wrapStore: (store) => ({
          ...store,
          replaceDocument: async (collection, version) => {
            await deleteDatasource(storing, job);
            await storing.blobs.write(job.blobKey, Readable.from([TEXT]));
            await store.replaceDocument(collection, version);
          },
          removeDocument: async (...removal) => {
            if (left > 0) {
              left -= 1;
              throw new Error('the store is unavailable');
            }
            await store.removeDocument(...removal);
          },
        }),
      });
      const job = await storing.upload(TEXT, { datasourceType: 'web_site', partOfRun: true });
      expect(selectDeterministicEvents(await storing.index(job))).toEqual([]);
      await expect(listStoredContent(storing, job)).resolves.toEqual([]);
      expect(storing.queues.listFailures(ingestionQueue)).toEqual([]);
    },
  );

  it('the worker removes fragments of a deleted datasource even if every attempt to store them reported an error', async () => {
    let writes = 0;
    const failing = start({
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          writes += 1;
          if (writes === MAX_ATTEMPTS) await deleteDatasource(failing, job);
          await store.replaceDocument(collection, { ...version, contentHash: `unconfirmed ${writes}` });
          throw new Error('the store does not respond');
        },
      }),
    });
    const job = await failing.upload(TEXT);
    const ends = selectDeterministicEvents(await failing.index(job)).filter(({ name }) => name !== 'run-retrying');
    expect(ends).toEqual([]);
    expect(writes).toBe(MAX_ATTEMPTS);
    await expect(listStoredContent(failing, job)).resolves.toEqual([]);
  });

  it('if a datasource is deleted while the worker embeds its document, the worker keeps the fragments of other datasources', async () => {
    const other = await worker.upload(TEXT, { datasourceId: 'other' });
    await worker.index(other);
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(async (embed) => {
      await deleteDatasource(worker, job);
      return embed();
    });
    await worker.index(job);
    await expect(worker.describeStored(other)).resolves.toMatchObject({ fragments: 1 });
  });
});

describe('indexing while the gateway is unavailable', { timeout: 60_000 }, () => {
  it.each([1, 2])(
    'if the gateway becomes unavailable at request number %s of the worker, the worker postpones the job without counting an attempt',
    async (question) => {
      let calls = 0;
      worker.gateway.onCall = () => {
        calls += 1;
        if (calls >= question && calls < question + 20) throw new TryLater(0, 'the gateway does not answer');
      };
      const job = await worker.upload(TEXT, { embedding: EMBEDDING });
      await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
        status: 'synched',
        counters: { indexed: 1 },
      });
      expect(worker.countEmbeddingCalls()).toBe(1);
      await expect(worker.describeStored(job)).resolves.toMatchObject({ fragments: 1 });
    },
  );
});
