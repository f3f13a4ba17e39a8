import { Readable } from 'node:stream';
import { getDatasourceFolder } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { datasourceStatusQueue } from '@quarry/contracts';
import { createInMemoryEmbedder } from '@quarry/embedder/testing';
import { createDocumentRef } from '@quarry/fragment-store';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { createInMemoryQueues, silentLog } from '@quarry/queue/testing';
import { openRunWatch, createStatusEmitter } from '@quarry/run-reporting';
import { describeRunWorker, createInMemoryRunGateway, type RunWorkerUnderTest } from '@quarry/run-reporting/testing';
import { getCollection } from '../indexing/index-document.js';
import type { DocumentReader } from '@quarry/document-readers';
import { EMBEDDING, type IndexingJob } from '../testing/worker-under-test.js';
import { runIndexingJob } from './run-indexing-job.js';
import { removeDatasource } from './remove-content.js';

const POLL_MS = 5;
/**
 * Number of fragments of the test document. One embedding request contains fewer texts, so the worker caches vectors
 * between the requests.
 */
const FRAGMENTS = 40;

/** Names of the event fields whose values differ between two starts of a job. */
const VARYING = new Set(['at', 'sequence', 'startedAt']);

const JOB: IndexingJob = {
  ...{ organizationId: 'organization', datastoreId: 'datastore', datasourceId: 'datasource', datasourceType: 'file' },
  ...{ runId: 'run', generation: 1, documentKey: 'document', name: 'Manual', mimeType: 'text/plain' },
  ...{ blobKey: 'organization/datastore/datasource/blob', version: 'v1' },
  splitting: { maxTokens: 64, overlapTokens: 8 },
};

const reader: DocumentReader = {
  read: async () =>
    Array.from({ length: FRAGMENTS }, (_, at) => ({
      ...{
        text: `Part ${at} of the manual.`,
        context: 'Manual',
        page: null,
        location: null,
        rectangles: [],
        tokens: 7,
        repeated: 0,
      },
    })),
  renderPage: () => Promise.reject(new Error('the document has no pages')),
  renderPicture: () => Promise.reject(new Error('the document has no pages')),
  close: async () => undefined,
};

async function openRun(job: IndexingJob): Promise<RunWorkerUnderTest> {
  const [blobs, fragmentStore, queues] = [
    createInMemoryBlobStore(),
    createInMemoryFragmentStore(),
    createInMemoryQueues(),
  ];
  const gateway = createInMemoryRunGateway();
  const statuses = queues.createProducer(datasourceStatusQueue);
  const embedder = createInMemoryEmbedder(EMBEDDING);
  const collection = getCollection(job.embedding);
  gateway.addRun(job);
  await blobs.write(job.blobKey, Readable.from(['The manual.']));

  const listBlobs = async (): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const key of blobs.list(getDatasourceFolder(job))) keys.push(key);
    return keys;
  };
  const listStoredFragments = async (): Promise<readonly unknown[]> => {
    const scope = { organizationId: job.organizationId, datastoreIds: [job.datastoreId] };
    const found = await fragmentStore.searchLexical(collection, scope, { text: 'manual' }, 2 * FRAGMENTS);
    return found.map(({ text, datasourceId }) => ({ text, datasourceId }));
  };
  /** Lists the final events of the test document, without duplicates. */
  const listFinalEvents = (): readonly string[] => {
    const ends = queues
      .listAddedJobs(datasourceStatusQueue)
      .filter(
        ({ name, payload }) => name === 'document-settled' || ('status' in payload && payload.status !== 'running'),
      )
      .map(({ name, payload }) =>
        JSON.stringify([name, payload], (field, value: unknown) => (VARYING.has(field) ? undefined : value)),
      );
    return [...new Set(ends)];
  };
  return {
    gateway,
    run: job,
    startJob: async (process, starts) => {
      await runIndexingJob(
        {
          ...{ reader, maxFileBytes: 1_000_000, now: () => new Date() },
          watch: openRunWatch(process.wrapGateway(gateway.gateway), silentLog, POLL_MS),
          statuses: createStatusEmitter(process.wrapPort(statuses, { writes: ['add'] })),
          blobs: process.wrapBlobStore(blobs),
          fragmentStore: process.wrapPort(fragmentStore, {
            writes: ['replaceDocument', 'confirmDocument', 'removeDocument'],
            reads: ['readStoredDocument'],
          }),
          getEmbedder: () => process.wrapPort(embedder, { writes: [], reads: ['embedDocuments'] }),
          claimTokens: async () => ({ granted: true }),
        },
        job,
        {
          ...{ id: 'job', attempt: 1, lastAttempt: false, starts, log: silentLog },
          signal: new AbortController().signal,
        },
      );
    },
    deleteDatasource: async () => {
      await gateway.removeDatasource(job);
      await removeDatasource({ blobs, fragmentStore, statuses: createStatusEmitter(statuses) }, job);
    },
    readOutcome: async () => ({
      blobs: await listBlobs(),
      document: await fragmentStore.readStoredDocument(collection, createDocumentRef(job)),
      fragments: (await listStoredFragments()).length,
      reports: listFinalEvents(),
    }),
    listStoredContent: async () => [...(await listBlobs()), ...(await listStoredFragments())],
  };
}

describeRunWorker('a document that is a whole run', () => openRun({ ...JOB, embedding: EMBEDDING }));
describeRunWorker('one of the documents of a run', () => openRun({ ...JOB, embedding: EMBEDDING, partOfRun: true }));
describeRunWorker('a document without embedding', () => openRun(JOB));
