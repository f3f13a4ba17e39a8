import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import {
  datasourceStatusQueue,
  RecordDocumentsRequest,
  type DocumentToIndex,
  type RunEnumerated,
  type RunGateway,
} from '@quarry/contracts';
import { createInMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { parse } from '@quarry/validation';
import { RecordedQueue } from './recorded-queue.js';

export interface IndexedDocument {
  readonly markdown: string;
  readonly document: DocumentToIndex;
}

export const DATASOURCE_ID = 'datasource';

/**
 * Simulates the gateway and ingestion for one listing: starts, cancels and ends runs, and indexes the documents that
 * the runs record.
 */
export class SimulatedGateway {
  readonly index = new Map<string, IndexedDocument>();
  readonly statusQueue = new RecordedQueue(datasourceStatusQueue);
  readonly runs: InMemoryRunGateway = createInMemoryRunGateway();
  /** The interface through which the job handler of a worker calls this gateway. */
  readonly gateway: RunGateway = {
    ...this.runs.gateway,
    recordDocuments: async (request) =>
      this.runs.gateway.recordDocuments(parse(RecordDocumentsRequest, request, 'refuse')),
  };
  /**
   * The listing state that the next run receives: that of the last run that was complete or had no failed documents.
   */
  listingState: Readonly<Record<string, unknown>> | undefined;
  readonly #blobs: BlobStore;
  /** The ids of runs with at least one document that ingestion could not index. */
  readonly #withFailures = new Set<string>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Returns the documents that a run has recorded. */
  getRecordedDocuments(runId: string): ReturnType<InMemoryRunGateway['getRecordedDocuments']> {
    return this.runs.getRecordedDocuments({ datasourceId: DATASOURCE_ID, runId });
  }

  /**
   * Indexes pending documents of a run as ingestion does.
   *
   * @param chooseOutcome returns the outcome of the next document
   */
  async ingestDocuments(
    runId: string,
    chooseOutcome: () => 'indexed' | 'failed' | 'later' = () => 'indexed',
  ): Promise<void> {
    const run = { datasourceId: DATASOURCE_ID, runId };
    for (const document of await this.runs.listUnsettledDocuments(run)) {
      const outcome = chooseOutcome();
      if (outcome === 'later') continue;
      const markdown = outcome === 'failed' ? undefined : await this.#readDocument(document);
      // The run can end while the blob is read.
      const isUnderWay = (await this.runs.listUnsettledDocuments(run)).some(
        ({ documentKey }) => documentKey === document.documentKey,
      );
      if (!isUnderWay) continue;
      await this.runs.settleDocument(run, document.documentKey, markdown === undefined ? 'failed' : 'indexed');
      if (markdown === undefined) this.#withFailures.add(runId);
      else this.index.set(document.documentKey, { markdown, document });
    }
  }

  async #readDocument({ blobKey, blobPart }: DocumentToIndex): Promise<string | undefined> {
    try {
      return await text(await this.#blobs.read(blobKey, blobPart));
    } catch (error) {
      if (error instanceof BlobNotFound) return undefined;
      throw error;
    }
  }

  /**
   * Indexes the remaining documents of a run, and ends the run. Removes missing documents if the run read the whole
   * listing.
   */
  async endRun(runId: string): Promise<RunEnumerated> {
    await this.ingestDocuments(runId);
    const enumerated = this.statusQueue.listPayloads('run-enumerated').find((event) => event.runId === runId);
    if (enumerated === undefined) throw new Error(`expected an event run-enumerated of run ${runId}, found none`);
    const { toIndex, settled } = this.getRecordedDocuments(runId);
    const reported = new Set([...toIndex, ...settled].map(({ documentKey }) => documentKey));
    if (enumerated.complete) {
      for (const key of this.index.keys()) if (!reported.has(key)) this.index.delete(key);
      this.runs.removeOtherDocuments(DATASOURCE_ID, reported);
    }
    if (!this.#withFailures.has(runId) || enumerated.complete)
      this.listingState = enumerated.listingState ?? this.listingState;
    await this.cancelRun(runId);
    return enumerated;
  }

  async removeDatasource(runId: string): Promise<void> {
    await this.runs.removeDatasource({ datasourceId: DATASOURCE_ID, runId });
  }

  /** Ends a run in any state, without the effects of a completed run. */
  async cancelRun(runId: string): Promise<void> {
    await this.runs.endRun({ datasourceId: DATASOURCE_ID, runId });
  }
}
