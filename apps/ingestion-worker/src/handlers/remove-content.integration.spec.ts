import { Readable } from 'node:stream';
import { datasourceStatusQueue, ingestionQueue } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXT, EMBEDDING, useWorkers, type IndexingJob, type WorkerUnderTest } from '../testing/worker-under-test.js';
import { removeDatasource, removeDatastore, removeDocument } from './remove-content.js';

const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('a removal job', { timeout: 60_000 }, () => {
  const otherFields = { datasourceId: 'another', documentKey: 'other' };

  async function indexTwoDocuments(): Promise<readonly [IndexingJob, IndexingJob]> {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const other = await worker.upload(TEXT, { embedding: EMBEDDING, ...otherFields });
    await worker.blobs.write('organization/datastore/another/blob', Readable.from(['x']));
    await worker.index(job);
    await worker.index(other);
    return [job, other];
  }

  it('a removal job removes the fragments and blobs of a datasource, and keeps those of other datasources', async () => {
    const [job, other] = await indexTwoDocuments();
    await removeDatasource(worker, job);
    await removeDatasource(worker, job);
    await expect(worker.describeStored(job)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(worker.describeStored(other)).resolves.toBeDefined();
    await expect(worker.blobs.read('organization/datastore/another/blob')).resolves.toBeDefined();
  });

  it('a removal job removes all fragments and blobs of a datastore', async () => {
    const [job, other] = await indexTwoDocuments();
    await removeDatastore(worker, job);
    await removeDatastore(worker, job);
    await expect(worker.describeStored(job)).resolves.toBeUndefined();
    await expect(worker.describeStored(other)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(worker.blobs.read('organization/datastore/another/blob')).rejects.toThrow('there is no blob');
  });

  it('a removal job keeps a document that a later run stored again before the job ran', async () => {
    const job = await worker.upload(TEXT);
    const later = await worker.upload('The warranty lasts three years.');
    await worker.index(later);
    await removeDocument(worker, job);
    await expect(worker.describeStored(job)).resolves.toMatchObject({ generation: later.generation });
  });

  it('a removal job keeps the version of a document that a newer run stores while the job removes the document', async () => {
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
    await removeDocument(parts, job);
    await expect(worker.describeStored(later)).resolves.toMatchObject({ generation: later.generation });
  });

  it.each(['blobs', 'fragments'] as const)(
    'another worker completes a removal if the first worker crashed while it removed the %s',
    async (at) => {
      const [job, other] = await indexTwoDocuments();
      const rejectAsCrashed = (): Promise<never> => Promise.reject(new Error('the process crashed'));
      const crashing = {
        statuses: worker.statuses,
        blobs: at === 'blobs' ? { ...worker.blobs, removeAll: rejectAsCrashed } : worker.blobs,
        fragmentStore: { ...worker.fragmentStore, removeDatasource: rejectAsCrashed, removeDatastore: rejectAsCrashed },
      };
      await expect(removeDatasource(crashing, job)).rejects.toThrow('crashed');
      await removeDatasource(worker, job);
      await expect(worker.describeStored(job)).resolves.toBeUndefined();
      await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
      await expect(removeDatastore(crashing, other)).rejects.toThrow('crashed');
      await removeDatastore(worker, other);
      await expect(worker.describeStored(other)).resolves.toBeUndefined();
      await expect(worker.blobs.read('organization/datastore/another/blob')).rejects.toThrow('there is no blob');
    },
  );

  it('a removal job removes the fragments of a document, and keeps the other documents of its datasource', async () => {
    const job = await worker.upload(TEXT, { documentKey: 'a' });
    const other = await worker.upload(TEXT, { documentKey: 'b' });
    await worker.index(job);
    await worker.index(other);
    const { organizationId, datastoreId, datasourceId, runId, generation, documentKey } = job;
    const removal = { organizationId, datastoreId, datasourceId, runId, generation, documentKey };
    await removeDocument(worker, removal);
    await worker.queues.createProducer(ingestionQueue).add('remove-document', removal);
    await worker.queues.runAllJobs();
    expect(worker.queues.listFailures(ingestionQueue)).toEqual([]);
    await expect(worker.describeStored(job)).resolves.toBeUndefined();
    await expect(worker.describeStored(other)).resolves.toBeDefined();
  });

  it('a removal job confirms the removal with the attempt number of its payload, but only after it has removed the content', async () => {
    const [job, other] = await indexTwoDocuments();
    const listConfirmations = (): unknown[] =>
      worker.queues
        .listAddedJobs(datasourceStatusQueue)
        .flatMap(({ name, payload }) => (name === 'removal-done' ? [payload] : []));
    const unavailable = {
      ...{ blobs: worker.blobs, statuses: worker.statuses },
      fragmentStore: {
        ...worker.fragmentStore,
        removeDatasource: () => Promise.reject(new Error('the store is unavailable')),
      },
    };
    const removal = { ...job, removalId: 'removal-1', attempt: 1 };
    await expect(removeDatasource(unavailable, removal)).rejects.toThrow('unavailable');
    expect(listConfirmations()).toEqual([]);
    await removeDatasource(worker, removal);
    await removeDatasource(worker, { ...removal, attempt: 2 });
    await removeDocument(worker, { ...other, removalId: 'removal-2' });
    await removeDatastore(worker, { ...other, removalId: 'removal-3', attempt: 7 });
    expect(listConfirmations()).toEqual([
      { removalId: 'removal-1', attempt: 1 },
      { removalId: 'removal-1', attempt: 2 },
      { removalId: 'removal-2', attempt: 1 },
      { removalId: 'removal-3', attempt: 7 },
    ]);
  });
});
