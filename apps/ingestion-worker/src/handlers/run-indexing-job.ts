import { getDatasourceFolder } from '@quarry/blob-store';
import {
  type AttemptError,
  type DocumentOutcome,
  GiveUp,
  type IndexDocument,
  type PageConfidence,
  type Progress,
  type ReasonCode,
  type Stage,
  TryLater,
} from '@quarry/contracts';
import { createDocumentRef } from '@quarry/fragment-store';
import type { JobContext } from '@quarry/queue';
import { createRunReporter, type Reporting, RunNotWanted, type RunWatch } from '@quarry/run-reporting';
import { getCollection, indexDocument, type IndexingParts } from '../indexing/index-document.js';
import type { PageSummary } from '../indexing/read-document.js';
import { discardCachedVectors } from '../indexing/vector-cache.js';

export interface IndexDocumentParts extends IndexingParts, Reporting {
  readonly watch: RunWatch;
}

/**
 * Indexes a document, unless its run is cancelled or superseded. Emits no event for a run that has ended. If the
 * datasource was deleted, removes everything that the job has stored. If the last attempt fails, the consumer's
 * `onFailed` hook reports the failure, not this function.
 */
export async function runIndexingJob(
  parts: IndexDocumentParts,
  job: IndexDocument,
  context: JobContext,
): Promise<void> {
  const reporter = createDocumentReporter(job, context.starts, parts);
  let mayHaveStored = context.starts > 1;
  try {
    const state = await parts.watch.runWhileWanted(job, context.signal, async (signal) => {
      mayHaveStored = true;
      await indexDocumentAndReport(parts, job, { ...context, signal }, reporter);
    });
    if (state === 'removed' && mayHaveStored) await removeStoredContent(parts, job);
  } finally {
    reporter.cancelDelayedEvents();
  }
}

async function indexDocumentAndReport(
  parts: IndexDocumentParts,
  job: IndexDocument,
  { signal, lastAttempt, log }: JobContext,
  reporter: DocumentReporter,
): Promise<void> {
  reporter.reportStart();
  const onProgress: DocumentReporter['reportProgress'] = (stage, progress) => {
    reporter.reportProgress(stage, progress);
  };
  const indexed = await indexDocument(parts, job, { signal, lastAttempt, log, onProgress }).catch(
    async (error: unknown) => {
      // The removal of a datasource deletes its blobs first, and the replacement of a document deletes its old blob. A
      // blob that is missing for one of these reasons is not a failure of the document.
      if (error instanceof GiveUp && error.code === 'content_missing') await parts.watch.requireWantedRun(job);
      throw error;
    },
  );
  // The removal job of a deleted datasource may have run before the fragments were stored. The caller then removes the
  // fragments.
  if ((await parts.watch.readState(job)) === 'removed') throw new RunNotWanted('removed');
  const { outcome, fragments, tokens, truncatedFragments, pages } = indexed;
  const truncated = truncatedFragments === 0 ? {} : { truncatedFragments };
  // Emitted even if the run has ended: searches find the document now, so the gateway must list it.
  await reporter.reportEnd({ outcome, fragments, storedTokens: tokens, ...truncated, ...buildPageCountFields(pages) });
  if (truncatedFragments > 0) await discardCachedVectors(parts.blobs, job, log);
}

type PageField =
  'undecodedPages' | 'imagePages' | 'recognizedPages' | 'recognitionConfidence' | 'pageConfidences' | 'pages';

function buildPageCountFields(summary: PageSummary | undefined): Pick<DocumentEnd, PageField> {
  if (summary === undefined) return {};
  const { pages, undecodedPages, imagePages, recognizedPages, recognitionConfidence, pageConfidences } = summary;
  return {
    pages,
    ...(undecodedPages === 0 ? {} : { undecodedPages }),
    ...(imagePages === 0 ? {} : { imagePages }),
    ...(recognizedPages === 0 ? {} : { recognizedPages }),
    ...(recognitionConfidence === undefined ? {} : { recognitionConfidence: Math.round(recognitionConfidence) }),
    ...(pageConfidences.length === 0 ? {} : { pageConfidences }),
  };
}

const REMOVAL_RETRY_MS = 5_000;

/**
 * Removes the fragments and blobs that a job stored for a deleted datasource.
 *
 * @throws TryLater while a store is unavailable, because no other job would remove this content
 */
export async function removeStoredContent(
  { fragmentStore, blobs }: Pick<IndexDocumentParts, 'fragmentStore' | 'blobs'>,
  job: IndexDocument,
): Promise<void> {
  try {
    await fragmentStore.removeDocument(getCollection(job.embedding), createDocumentRef(job), job.generation);
    await blobs.removeAll(getDatasourceFolder(job));
  } catch (error) {
    throw new TryLater(REMOVAL_RETRY_MS, 'the content of a deleted datasource could not be removed', {
      cause: error,
    });
  }
}

/**
 * Emits events about the indexing of a document to the gateway: its start, its progress, and a retry or its outcome.
 * A reporter is used for only one start of the indexing job.
 */
interface DocumentReporter {
  reportStart(): void;
  reportProgress(stage: Stage, progress?: Progress): void;
  /** Cancels progress events that were delayed and are not sent yet. */
  cancelDelayedEvents(): void;
  /** Emits the error of a failed attempt that is followed by another attempt. */
  reportRetry(lastError: AttemptError): Promise<void>;
  /** Emits the outcome of the document. Resolves when the event is stored in the queue. */
  reportEnd(end: DocumentEnd): Promise<void>;
}

interface DocumentEnd {
  readonly outcome: Extract<DocumentOutcome, 'indexed' | 'unchanged' | 'failed'>;
  readonly code?: ReasonCode;
  readonly message?: string;
  readonly fragments?: number;
  readonly storedTokens?: number;
  /** Number of fragments of which only the beginning was embedded; absent if there are none. */
  readonly truncatedFragments?: number;
  /** Number of pages with text that could not be decoded; absent if there are none. */
  readonly undecodedPages?: number;
  /** Number of pages that are images without recognized text; absent if there are none. */
  readonly imagePages?: number;
  /** Number of pages with recognized text; absent if there are none. */
  readonly recognizedPages?: number;
  readonly recognitionConfidence?: number;
  /** Confidence of text recognition for each page with recognized words; absent if no word was recognized. */
  readonly pageConfidences?: readonly PageConfidence[];
  readonly pages?: number;
}

/**
 * Creates the reporter of the events of a document's indexing job. @param starts number of starts of the job, including
 * this one
 */
export function createDocumentReporter(job: IndexDocument, starts: number, reporting: Reporting): DocumentReporter {
  return job.partOfRun === true
    ? createMultiDocumentReporter(job, reporting)
    : createSingleDocumentReporter(job, starts, reporting);
}

function createSingleDocumentReporter(job: IndexDocument, starts: number, reporting: Reporting): DocumentReporter {
  const reporter = createRunReporter(reporting, job, { starts, phase: 'whole' });
  return {
    reportStart: () => {
      reporter.reportStart();
    },
    reportProgress: (stage, progress) => {
      reporter.reportProgress(stage, progress);
    },
    cancelDelayedEvents: () => {
      reporter.cancelDelayedEvents();
    },
    reportRetry: (lastError) => reporter.reportRetry(lastError),
    reportEnd: (end) => reporter.reportEnd(end),
  };
}

/**
 * Creates a reporter for a document of a run with several documents. The reporter emits only the retries and the
 * outcome of the document, because the gateway computes the status and the progress of the run.
 */
function createMultiDocumentReporter(job: IndexDocument, { statuses, now }: Reporting): DocumentReporter {
  const { datasourceId, runId, documentKey, name, source, version } = job;
  return {
    reportStart: () => undefined,
    reportProgress: () => undefined,
    cancelDelayedEvents: () => undefined,
    reportRetry: (lastError) =>
      statuses.emitDocumentRetry({ datasourceId, runId, documentKey, at: now().toISOString(), lastError }),
    reportEnd: async (end) => {
      const isIndexed = end.outcome !== 'failed' && version !== undefined;
      await statuses.emitDocumentSettled({
        ...{ datasourceId, runId, documentKey, name, at: now().toISOString() },
        ...(source === undefined ? {} : { source }),
        ...(isIndexed ? { version } : {}),
        ...end,
      });
    },
  };
}
