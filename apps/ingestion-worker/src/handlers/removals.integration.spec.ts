import { Readable } from 'node:stream';
import { datasourceStatusQueue, ingestionQueue } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXT, EMBEDDING, useWorkers, type IndexingJob, type WorkerUnderTest } from '../testing/worker-under-test.js';
import { handleRemoveDatasource, handleRemoveDatastore, handleRemoveDocument } from './removals.js';

const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('removing', { timeout: 60_000 }, () => {
  const other = { datasourceId: 'another', documentKey: 'other' };

  async function indexTwo(): Promise<readonly [IndexingJob, IndexingJob]> {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const beside = await worker.upload(TEXT, { embedding: EMBEDDING, ...other });
    await worker.blobs.write('organization/datastore/another/blob', Readable.from(['x']));
    await worker.index(job);
    await worker.index(beside);
    return [job, beside];
  }

  it('a datasource takes its fragments and blobs, and nothing beside it', async () => {
    const [job, beside] = await indexTwo();
    await handleRemoveDatasource(worker, job);
    await handleRemoveDatasource(worker, job);
    await expect(worker.stored(job)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(worker.stored(beside)).resolves.toBeDefined();
    await expect(worker.blobs.read('organization/datastore/another/blob')).resolves.toBeDefined();
  });

  it('a datastore takes everything in it', async () => {
    const [job, beside] = await indexTwo();
    await handleRemoveDatastore(worker, job);
    await handleRemoveDatastore(worker, job);
    await expect(worker.stored(job)).resolves.toBeUndefined();
    await expect(worker.stored(beside)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(worker.blobs.read('organization/datastore/another/blob')).rejects.toThrow('there is no blob');
  });

  it('a document that a later run has stored again leaves it', async () => {
    const job = await worker.upload(TEXT);
    const later = await worker.upload('The warranty lasts three years.');
    await worker.index(later);
    await handleRemoveDocument(worker, job);
    await expect(worker.stored(job)).resolves.toMatchObject({ generation: later.generation });
  });

  it('a document leaves what a newer run stored while the removal was under way', async () => {
    const job = await worker.upload(TEXT);
    await worker.index(job);
    const later = await worker.upload('The warranty lasts three years.');
    const parts = {
      ...{ blobs: worker.blobs, statuses: worker.statuses },
      fragmentStore: {
        ...worker.fragmentStore,
        removeDocument: async (
          ...[collection, document, upTo]: Parameters<typeof worker.fragmentStore.removeDocument>
        ) => {
          await worker.index(later);
          await worker.fragmentStore.removeDocument(collection, document, upTo);
        },
      },
    };
    await handleRemoveDocument(parts, job);
    await expect(worker.stored(later)).resolves.toMatchObject({ generation: later.generation });
  });

  it.each(['blobs', 'fragments'] as const)('is finished by the next worker when one died at the %s', async (at) => {
    const [job, beside] = await indexTwo();
    const died = (): Promise<never> => Promise.reject(new Error('the process is gone'));
    const dying = {
      statuses: worker.statuses,
      blobs: at === 'blobs' ? { ...worker.blobs, removeAll: died } : worker.blobs,
      fragmentStore: { ...worker.fragmentStore, removeDatasource: died, removeDatastore: died },
    };
    await expect(handleRemoveDatasource(dying, job)).rejects.toThrow('gone');
    await handleRemoveDatasource(worker, job);
    await expect(worker.stored(job)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(handleRemoveDatastore(dying, beside)).rejects.toThrow('gone');
    await handleRemoveDatastore(worker, beside);
    await expect(worker.stored(beside)).resolves.toBeUndefined();
    await expect(worker.blobs.read('organization/datastore/another/blob')).rejects.toThrow('there is no blob');
  });

  it('a document takes its fragments and leaves the rest of its datasource', async () => {
    const job = await worker.upload(TEXT, { documentKey: 'a' });
    const beside = await worker.upload(TEXT, { documentKey: 'b' });
    await worker.index(job);
    await worker.index(beside);
    const { organizationId, datastoreId, datasourceId, runId, generation, documentKey } = job;
    const removal = { organizationId, datastoreId, datasourceId, runId, generation, documentKey };
    await handleRemoveDocument(worker, removal);
    await worker.queues.producer(ingestionQueue).add('remove-document', removal);
    await worker.queues.drain();
    expect(worker.queues.failed(ingestionQueue)).toEqual([]);
    await expect(worker.stored(job)).resolves.toBeUndefined();
    await expect(worker.stored(beside)).resolves.toBeDefined();
  });

  it('is confirmed once the content is gone, each attempt by itself, and not before', async () => {
    const [job, beside] = await indexTwo();
    const confirmed = (): unknown[] =>
      worker.queues
        .added(datasourceStatusQueue)
        .flatMap(({ name, payload }) => (name === 'removal-done' ? [payload] : []));
    const unavailable = {
      ...{ blobs: worker.blobs, statuses: worker.statuses },
      fragmentStore: {
        ...worker.fragmentStore,
        removeDatasource: () => Promise.reject(new Error('the store is unavailable')),
      },
    };
    const removal = { ...job, removalId: 'removal-1', attempt: 1 };
    await expect(handleRemoveDatasource(unavailable, removal)).rejects.toThrow('unavailable');
    expect(confirmed()).toEqual([]);
    await handleRemoveDatasource(worker, removal);
    await handleRemoveDatasource(worker, { ...removal, attempt: 2 });
    await handleRemoveDocument(worker, { ...beside, removalId: 'removal-2' });
    await handleRemoveDatastore(worker, { ...beside, removalId: 'removal-3', attempt: 7 });
    expect(confirmed()).toEqual([
      { removalId: 'removal-1', attempt: 1 },
      { removalId: 'removal-1', attempt: 2 },
      { removalId: 'removal-2', attempt: 1 },
      { removalId: 'removal-3', attempt: 7 },
    ]);
  });
});
