import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import {
  datasourceStatusQueue,
  ingestionQueue,
  type ClaimTokens,
  type DatasourceStatusJobs,
  type EmbeddingSettings,
  type IndexDocument,
} from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { inMemoryEmbedder } from '@quarry/embedder/testing';
import { storedDocument, type FragmentStore, type ScoredFragment, type StoredDocument } from '@quarry/fragment-store';
import { inMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { inMemoryQueues, silentLog, type AddedJob, type InMemoryQueues } from '@quarry/queue/testing';
import { openRunWatch, openStatuses, type Statuses } from '@quarry/run-reporting';
import { inMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { afterEach, expect } from 'vitest';
import { startConsumers } from '../consumers.js';
import { collectionOf } from '../indexing/index-document.js';
import { documentReader, type DocumentReader, type ReadingSettings } from '@quarry/document-readers';

export const EMBEDDING = {
  model: 'hashed-words',
  dimensions: 64,
  distance: 'cosine',
} as const satisfies EmbeddingSettings;

/** How often the worker asks whether runs are wanted. */
const POLL_MS = 5;

/** A document of one fragment. */
export const TEXT = 'The warranty lasts two years.\n\nThe office is in Lisbon.';

export const READING: ReadingSettings = {
  processes: 2,
  documentsPerProcess: 50,
  timeoutMs: 60_000,
  memoryMb: 1_024,
  maxCharacters: 10_000_000,
};

/** The payload as a plain object, to make another one of it. */
export type IndexingJob = Omit<IndexDocument, never>;

export interface WorkerUnderTest {
  readonly queues: InMemoryQueues;
  readonly blobs: BlobStore;
  readonly fragmentStore: FragmentStore;
  readonly statuses: Statuses;
  readonly gateway: InMemoryRunGateway;
  /** How often texts were embedded. */
  readonly embeddings: () => number;
  /** What happens the next time texts are embedded, instead of it. */
  onNextEmbedding(action: (embed: () => Promise<readonly Float32Array[]>) => Promise<readonly Float32Array[]>): void;
  /** Stores bytes and makes the job that indexes them, with a run of its own each time. The run starts with `index`. */
  upload(content: string | Uint8Array, more?: Partial<IndexingJob>): Promise<IndexingJob>;
  /** Starts the run of a job, adds the job and runs all there are. @returns the events of its run, in order */
  index(job: IndexDocument): Promise<readonly AddedJob<DatasourceStatusJobs>[]>;
  /** The same. @returns what was told last: how it ended */
  endOf(job: IndexDocument): Promise<unknown>;
  told(runId: string): readonly AddedJob<DatasourceStatusJobs>[];
  /** Until it was told that the run is under way: what ends at once never says so. */
  untilToldRunning(job: IndexDocument): Promise<void>;
  stored(job: IndexDocument): Promise<StoredDocument | undefined>;
  search(text: string, job: IndexDocument): Promise<readonly ScoredFragment[]>;
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly maxFileBytes?: number;
  readonly embedderFor?: (settings: EmbeddingSettings) => Embedder | undefined;
  /** In memory when absent. */
  readonly blobs?: BlobStore;
  /** Reads in real processes when absent. */
  readonly reader?: DocumentReader;
  /** By default every claim is granted. */
  readonly claimTokens?: ClaimTokens;
  /** Between reader and store, to look at or change what is done. */
  readonly wrapStore?: (store: FragmentStore) => FragmentStore;
}

/** Starts workers for a spec's tests, and closes them after each. */
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

/** Starts a worker on ports in memory. */
export function startWorkerUnderTest(options: WorkerOptions = {}): WorkerUnderTest {
  const queues = inMemoryQueues();
  const blobs = options.blobs ?? inMemoryBlobStore();
  const fragmentStore = inMemoryFragmentStore();
  const reader = options.reader ?? documentReader(READING);
  const inner = inMemoryEmbedder(EMBEDDING);
  let embeddings = 0;
  const actions: ((embed: () => Promise<readonly Float32Array[]>) => Promise<readonly Float32Array[]>)[] = [];
  const embedder: Embedder = {
    ...inner,
    embedDocuments: (texts, embedOptions) => {
      embeddings += 1;
      const embed = (): Promise<readonly Float32Array[]> => inner.embedDocuments(texts, embedOptions);
      const action = actions.shift();
      return action === undefined ? embed() : action(embed);
    },
  };
  let generation = 0;
  const statuses = openStatuses(queues.producer(datasourceStatusQueue));
  const gateway = inMemoryRunGateway();
  startConsumers({
    queues,
    blobs,
    reader,
    fragmentStore: options.wrapStore?.(fragmentStore) ?? fragmentStore,
    embedderFor: options.embedderFor ?? (() => embedder),
    maxFileBytes: options.maxFileBytes ?? 10_000_000,
    statuses,
    watch: openRunWatch(gateway.gateway, silentLog, POLL_MS),
    claimTokens: options.claimTokens ?? (async () => Promise.resolve({ granted: true })),
    now: () => new Date(),
    concurrency: 1,
  });

  const told = (runId: string): readonly AddedJob<DatasourceStatusJobs>[] =>
    queues.added(datasourceStatusQueue).filter(({ payload }) => 'runId' in payload && payload.runId === runId);
  const index: WorkerUnderTest['index'] = async (job) => {
    gateway.addRun(job);
    await queues.producer(ingestionQueue).add('index-document', job);
    await queues.drain();
    return told(job.runId);
  };

  return {
    queues,
    blobs,
    fragmentStore,
    statuses,
    gateway,
    embeddings: () => embeddings,
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
    index,
    endOf: async (job) => (await index(job)).at(-1)?.payload,
    told,
    untilToldRunning: async ({ runId }) => {
      await expect.poll(() => told(runId).map(({ payload }) => payload)).toMatchObject([{ status: 'running' }]);
    },
    stored: (job) => fragmentStore.describeDocument(collectionOf(job.embedding), storedDocument(job)),
    search: (text, { embedding, organizationId, datastoreId }) =>
      fragmentStore.searchLexical(collectionOf(embedding), { organizationId, datastoreIds: [datastoreId] }, text, 10),
    close: () => reader.close(),
  };
}
