import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import {
  datasourceStatusQueue,
  RecordDocumentsRequest,
  type DocumentOutcomeFound,
  type DocumentToIndex,
  type IndexedVersionsRequest,
  type RecordDocumentsResponse,
  type RunEnumerated,
  type RunGateway,
  type RunRef,
} from '@quarry/contracts';
import { inMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { parse } from '@quarry/validation';
import { RecordedQueue } from './recorded-queue.js';

export interface IndexedDocument {
  readonly markdown: string;
  readonly document: DocumentToIndex;
}

export const DATASOURCE_ID = 'datasource';

/** What a run has recorded, each document once. */
interface RecordedRun {
  readonly toIndex: DocumentToIndex[];
  readonly settled: DocumentOutcomeFound[];
  hasFailures: boolean;
}

/** Stands in for the gateway and for ingestion: starts, cancels and ends runs of one listing, and indexes what they record. */
export class SimulatedGateway {
  readonly index = new Map<string, IndexedDocument>();
  readonly statusQueue = new RecordedQueue(datasourceStatusQueue);
  readonly runs: InMemoryRunGateway = inMemoryRunGateway();
  /** The port that the handler works with. */
  readonly gateway: RunGateway = {
    ...this.runs.gateway,
    indexedVersions: async (request) => this.#indexedVersions(request),
    recordDocuments: async (request) => this.#recordDocuments(parse(RecordDocumentsRequest, request, 'refuse')),
  };
  /** Stored when a run ends. */
  listingState: Readonly<Record<string, unknown>> | undefined;
  readonly #blobs: BlobStore;
  #isRemoved = false;
  readonly #recorded = new Map<string, RecordedRun>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  recorded(runId: string): RecordedRun {
    const run = this.#recorded.get(runId) ?? { toIndex: [], settled: [], hasFailures: false };
    this.#recorded.set(runId, run);
    return run;
  }

  /** Settles some of the documents under way, each with its blob as it is now. */
  async ingest(runId: string, settles: () => 'indexed' | 'failed' | 'later' = () => 'indexed'): Promise<void> {
    const run = { datasourceId: DATASOURCE_ID, runId };
    for (const document of await this.runs.underWay(run)) {
      const outcome = settles();
      if (outcome === 'later') continue;
      const markdown = outcome === 'failed' ? undefined : await this.#read(document);
      // Reading takes time, in which the run may have ended.
      const isUnderWay = (await this.runs.underWay(run)).some(
        ({ documentKey }) => documentKey === document.documentKey,
      );
      if (!isUnderWay) continue;
      await this.runs.settleDocument(run, document.documentKey, markdown === undefined ? 'failed' : 'indexed');
      if (markdown === undefined) this.recorded(runId).hasFailures = true;
      else this.index.set(document.documentKey, { markdown, document });
    }
  }

  async #read({ blobKey, blobPart }: DocumentToIndex): Promise<string | undefined> {
    try {
      return await text(await this.#blobs.read(blobKey, blobPart));
    } catch (error) {
      if (error instanceof BlobNotFound) return undefined;
      throw error;
    }
  }

  /** Ends a run that has been enumerated, when its documents have settled. */
  async endRun(runId: string): Promise<RunEnumerated> {
    await this.ingest(runId);
    const enumerated = this.statusQueue.payloads('run-enumerated').find((event) => event.runId === runId);
    if (enumerated === undefined) throw new Error(`expected run ${runId} to be enumerated, found it is not`);
    const { toIndex, settled, hasFailures } = this.recorded(runId);
    const named = new Set([...toIndex, ...settled].map(({ documentKey }) => documentKey));
    if (enumerated.complete) for (const key of this.index.keys()) if (!named.has(key)) this.index.delete(key);
    if (!hasFailures || enumerated.complete) this.listingState = enumerated.listingState ?? this.listingState;
    await this.cancel(runId);
    return enumerated;
  }

  async removeDatasource(runId: string): Promise<void> {
    this.#isRemoved = true;
    await this.runs.removeDatasource({ datasourceId: DATASOURCE_ID, runId });
  }

  /** Ends a run, whatever it has done. */
  async cancel(runId: string): Promise<void> {
    await this.runs.endRun({ datasourceId: DATASOURCE_ID, runId });
  }

  /** What is removed has no version any more. */
  async #indexedVersions(request: IndexedVersionsRequest): Promise<readonly (string | null)[]> {
    const versions = await this.runs.gateway.indexedVersions(request);
    return versions.map((version, at) => (this.index.has(request.documentKeys[at] ?? '') ? version : null));
  }

  async #recordDocuments(request: RecordDocumentsRequest): Promise<RecordDocumentsResponse> {
    const before = this.#keysOf(request);
    try {
      return await this.runs.gateway.recordDocuments(request);
    } finally {
      // It may have been recorded although the call fails.
      const now = this.#keysOf(request);
      const isNew = ({ documentKey: key }: { readonly documentKey: string }): boolean =>
        now.has(key) && !before.has(key);
      const recorded = this.recorded(request.runId);
      recorded.toIndex.push(...request.toIndex.filter(isNew));
      recorded.settled.push(...request.settled.filter(isNew));
    }
  }

  #keysOf({ datasourceId, runId }: RunRef): ReadonlySet<string> {
    return this.#isRemoved ? new Set() : new Set(this.runs.recorded({ datasourceId, runId }));
  }
}
