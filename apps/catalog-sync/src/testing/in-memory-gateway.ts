import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import {
  datasourceStatusQueue,
  ingestionQueue,
  type DocumentSettled,
  type IndexDocument,
  type JobPayloads,
  type QueueContract,
  type RunEnumerated,
} from '@quarry/contracts';
import type { NewJob, Producer } from '@quarry/queue-bullmq';
import { parse } from '@quarry/validation';

export interface IndexedDocument {
  readonly markdown: string;
  readonly job: IndexDocument;
}

/** Stands for the queues, ingestion and the gateway: indexes what it is handed, and ends runs by counting. */
export class InMemoryGateway {
  readonly index = new Map<string, IndexedDocument>();
  readonly ingestionQueue = new RecordedQueue(ingestionQueue);
  readonly statusQueue = new RecordedQueue(datasourceStatusQueue);
  readonly #blobs: BlobStore;
  readonly #indexed = new Set<IndexDocument>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Indexes some of the jobs that wait, each as its blob is now. */
  async ingest(takes: () => boolean = () => true): Promise<void> {
    for (const job of this.ingestionQueue.payloads('index-document')) {
      if (this.#indexed.has(job) || !takes()) continue;
      this.#indexed.add(job);
      const markdown = await this.#read(job);
      if (markdown !== undefined) this.index.set(job.documentKey, { markdown, job });
    }
  }

  /** A job of an earlier run may come too late: what it was handed is gone, and it fails. */
  async #read({ blobKey, blobPart }: IndexDocument): Promise<string | undefined> {
    try {
      return await text(await this.#blobs.read(blobKey, blobPart));
    } catch (error) {
      if (error instanceof BlobNotFound) return undefined;
      throw error;
    }
  }

  /** Ends a run that has been enumerated. @throws when it would wait for documents for ever */
  async endRun(runId: string): Promise<RunEnumerated> {
    await this.ingest();
    const enumerated = this.statusQueue.payloads('run-enumerated').find((event) => event.runId === runId);
    if (enumerated === undefined) throw new Error(`run ${runId} was not enumerated`);
    const settled = new Set([...this.indexJobs(runId), ...this.settled(runId)].map((document) => document.documentKey));
    if (settled.size < (enumerated.documents ?? 0)) {
      throw new Error(
        `run ${runId} waits for ${enumerated.documents ?? 0} documents, only ${settled.size} will settle`,
      );
    }
    if (enumerated.complete) for (const key of this.index.keys()) if (!settled.has(key)) this.index.delete(key);
    return enumerated;
  }

  indexJobs(runId: string): readonly IndexDocument[] {
    return this.ingestionQueue.payloads('index-document').filter((job) => job.runId === runId);
  }

  settled(runId: string): readonly DocumentSettled[] {
    return this.statusQueue.payloads('document-settled').filter((event) => event.runId === runId);
  }
}

/** A queue that keeps its jobs, the first of each id alone, as the real ones do. */
export class RecordedQueue<Jobs extends JobPayloads> implements Producer<Jobs> {
  readonly #contract: QueueContract<Jobs>;
  readonly #jobs = new Map<string, { readonly name: keyof Jobs; readonly payload: Jobs[keyof Jobs] }>();
  /** Called before anything is added; a test makes it throw. */
  onAdd: () => void = () => undefined;

  constructor(contract: QueueContract<Jobs>) {
    this.#contract = contract;
  }

  payloads<Name extends keyof Jobs>(name: Name): readonly Jobs[Name][] {
    const named = [...this.#jobs.values()].filter((job) => job.name === name);
    return named.map((job) => job.payload as Jobs[Name]); // added under this name
  }

  async add<Name extends keyof Jobs & string>(name: Name, payload: Jobs[Name]): Promise<string> {
    this.onAdd();
    return this.#keep(name, payload);
  }

  async addAll(jobs: readonly NewJob<Jobs>[]): Promise<readonly string[]> {
    this.onAdd();
    return jobs.map((job) => this.#keep(job.name, job.payload));
  }

  #keep<Name extends keyof Jobs & string>(name: Name, payload: Jobs[Name]): string {
    const contract = this.#contract.jobs[name];
    const parsed = parse(contract.payload, payload, 'refuse');
    const id = contract.id(parsed);
    if (!this.#jobs.has(id)) this.#jobs.set(id, { name, payload: parsed });
    return id;
  }
}
