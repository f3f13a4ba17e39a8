import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import {
  datasourceStatusQueue,
  ingestionQueue,
  type ClaimTokens,
  type DatasourceStatusJobs,
  type EmbeddingSettings,
  type IndexDocument,
} from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { createInMemoryEmbedder } from '@quarry/embedder/testing';
import {
  createDocumentRef,
  type FragmentStore,
  type ScoredFragment,
  type StoredDocument,
} from '@quarry/fragment-store';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { createInMemoryQueues, silentLog, type AddedJob, type InMemoryQueues } from '@quarry/queue/testing';
import { openRunWatch, createStatusEmitter, type StatusEmitter } from '@quarry/run-reporting';
import { createInMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { afterEach, expect } from 'vitest';
import { startConsumers } from '../consumers.js';
import { getCollection } from '../indexing/index-document.js';
import type { PageRecognition } from '../recognition/page-recognition.js';
import { openDocumentReader, type DocumentReader, type ReadingSettings } from '@quarry/document-readers';

export const EMBEDDING = {
  model: 'hashed-words',
  dimensions: 64,
  distance: 'cosine',
} as const satisfies EmbeddingSettings;

/** Interval in milliseconds at which the worker checks whether runs are cancelled or superseded. */
const POLL_MS = 5;

/** A text that is indexed as a single fragment. */
export const TEXT = 'The warranty lasts two years.\n\nThe office is in Lisbon.';

export const READING: ReadingSettings = {
  processes: 2,
  documentsPerProcess: 50,
  idleMs: 60_000,
  timeoutMs: 60_000,
  memoryMb: 1_024,
  maxCharacters: 10_000_000,
};

/** The payload of an indexing job as a plain object, which tests can spread. */
export type IndexingJob = Omit<IndexDocument, never>;

export interface WorkerUnderTest {
  readonly queues: InMemoryQueues;
  readonly blobs: BlobStore;
  readonly fragmentStore: FragmentStore;
  readonly statuses: StatusEmitter;
  readonly gateway: InMemoryRunGateway;
  /** Returns the number of calls that the embedder has received. */
  readonly countEmbeddingCalls: () => number;
  /** Replaces the next call of the embedder by `action`, which receives a function that makes the original call. */
  onNextEmbedding(action: (embed: () => Promise<readonly Float32Array[]>) => Promise<readonly Float32Array[]>): void;
  /**
   * Stores content as a blob. Returns a job that indexes the content in a new run. A call of `index` starts the run.
   */
  upload(content: string | Uint8Array, more?: Partial<IndexingJob>): Promise<IndexingJob>;
  /**
   * Starts the run of a job, adds the job to its queue, and runs all jobs in the queues. @returns the events of the
   * run, in order
   */
  index(job: IndexDocument): Promise<readonly AddedJob<DatasourceStatusJobs>[]>;
  /** Indexes a document like `index`. @returns the payload of the last event */
  indexAndGetLastEvent(job: IndexDocument): Promise<unknown>;
  listEvents(runId: string): readonly AddedJob<DatasourceStatusJobs>[];
  /**
   * Waits until the job has emitted the event `running`. A job emits it only if it takes a fraction of a second or
   * longer.
   */
  waitForRunningEvent(job: IndexDocument): Promise<void>;
  describeStored(job: IndexDocument): Promise<StoredDocument | undefined>;
  search(text: string, job: IndexDocument): Promise<readonly ScoredFragment[]>;
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly maxFileBytes?: number;
  readonly getEmbedder?: (settings: EmbeddingSettings) => Embedder | undefined;
  /** The blob store of the worker. Default: an in-memory store. */
  readonly blobs?: BlobStore;
  /** The document reader of the worker. Default: a reader with child processes. */
  readonly reader?: DocumentReader;
  /** Recognizes text in images of pages. Default: no recognition. */
  readonly recognition?: PageRecognition;
  /** Claims the tokens of a document. Default: every claim is granted. */
  readonly claimTokens?: ClaimTokens;
  /** Wraps the fragment store, so that a test can observe or change its calls. */
  readonly wrapStore?: (store: FragmentStore) => FragmentStore;
}

/** Returns a function that starts workers, and closes them after each test. */
export function useWorkers(): (options?: WorkerOptions) => WorkerUnderTest {
  const open: WorkerUnderTest[] = [];
  afterEach(async () => {
    for (const worker of open.splice(0)) await worker.close();
  });
  return (options) => {
    const worker = startWorkerUnderTest(options);
    open.push(worker);
    return worker;
  };
}

/**
 * Selects the events that do not depend on the speed of the machine. Omits `running` and progress, because a job emits
 * them only if it takes longer than a fraction of a second.
 */
export function selectDeterministicEvents(
  events: readonly AddedJob<DatasourceStatusJobs>[],
): readonly AddedJob<DatasourceStatusJobs>[] {
  return events.filter(
    ({ name, payload }) => name !== 'run-progressed' && !('status' in payload && payload.status === 'running'),
  );
}

/** Starts a worker whose queues, stores, embedder and gateway are in memory unless the options replace them. */
export function startWorkerUnderTest(options: WorkerOptions = {}): WorkerUnderTest {
  const queues = createInMemoryQueues();
  const blobs = options.blobs ?? createInMemoryBlobStore();
  const fragmentStore = createInMemoryFragmentStore();
  const reader = options.reader ?? openDocumentReader(READING);
  const inner = createInMemoryEmbedder(EMBEDDING);
  let embeddings = 0;
  const actions: ((embed: () => Promise<readonly Float32Array[]>) => Promise<readonly Float32Array[]>)[] = [];
  const embedder: Embedder = {
    ...inner,
    embedDocuments: (texts, embedOptions) => {
      embeddings += 1;
      const embedTexts = (): Promise<readonly Float32Array[]> => inner.embedDocuments(texts, embedOptions);
      const action = actions.shift();
      return action === undefined ? embedTexts() : action(embedTexts);
    },
  };
  let generation = 0;
  const statuses = createStatusEmitter(queues.createProducer(datasourceStatusQueue));
  const gateway = createInMemoryRunGateway();
  startConsumers({
    queues,
    blobs,
    reader,
    recognition: options.recognition,
    fragmentStore: options.wrapStore?.(fragmentStore) ?? fragmentStore,
    getEmbedder: options.getEmbedder ?? (() => embedder),
    maxFileBytes: options.maxFileBytes ?? 10_000_000,
    statuses,
    watch: openRunWatch(gateway.gateway, silentLog, POLL_MS),
    claimTokens: options.claimTokens ?? (async () => Promise.resolve({ granted: true })),
    now: () => new Date(),
    concurrency: 1,
  });

  const listEvents = (runId: string): readonly AddedJob<DatasourceStatusJobs>[] =>
    queues.listAddedJobs(datasourceStatusQueue).filter(({ payload }) => 'runId' in payload && payload.runId === runId);
  const indexDocument: WorkerUnderTest['index'] = async (job) => {
    gateway.addRun(job);
    await queues.createProducer(ingestionQueue).add('index-document', job);
    await queues.runAllJobs();
    return listEvents(job.runId);
  };

  return {
    queues,
    blobs,
    fragmentStore,
    statuses,
    gateway,
    countEmbeddingCalls: () => embeddings,
    onNextEmbedding: (action) => actions.push(action),
    upload: async (content, more = {}) => {
      generation += 1;
      const blobKey = `organization/datastore/datasource/${randomUUID()}`;
      await blobs.write(blobKey, Readable.from([Buffer.from(content)]));
      return {
        organizationId: 'organization',
        datastoreId: 'datastore',
        datasourceId: 'datasource',
        datasourceType: 'document',
        runId: `run-${generation}`,
        generation,
        documentKey: 'document',
        name: 'Manual',
        blobKey,
        mimeType: 'text/plain',
        splitting: { maxTokens: 64, overlapTokens: 8 },
        ...more,
      };
    },
    index: indexDocument,
    indexAndGetLastEvent: async (job) => (await indexDocument(job)).at(-1)?.payload,
    listEvents,
    waitForRunningEvent: async ({ runId }) => {
      await expect
        .poll(() => listEvents(runId).map(({ payload }) => payload), { timeout: 30_000 })
        .toContainEqual(expect.objectContaining({ status: 'running' }));
    },
    describeStored: (job) => fragmentStore.readStoredDocument(getCollection(job.embedding), createDocumentRef(job)),
    search: (text, { embedding, organizationId, datastoreId }) =>
      fragmentStore.searchLexical(
        getCollection(embedding),
        { organizationId, datastoreIds: [datastoreId] },
        { text },
        10,
      ),
    close: () => reader.close(),
  };
}
