import {
  type DocumentToIndex,
  MAX_CHECKPOINT_BYTES,
  type DocumentOutcomeFound,
  type RecordDocumentsRequest,
  type RecordDocumentsResponse,
} from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../../database/database.js';
import { runs, type RunRow } from '../../database/tables/runs.js';
import { datastores } from '../../database/tables/datastores.js';
import { runDocuments } from '../../database/tables/run-documents.js';
import { writeOutboxJobs } from '../../outbox/outbox.js';
import { buildFoundDocumentJob, buildFoundDocumentOutboxJob } from '../start/build-sync-job.js';
import { createFieldProblem } from '../../checks/field-problem.js';
import { storeFoundDocumentOutcomes } from '../document-rows.js';
import { clearDocumentVersions, findSettledVersions } from '../document-versions.js';
import { findDocumentsInProgress, getEndedRunState, lockRun, type LockedRun } from '../run-in-progress.js';
import { clearRunError } from '../run-notes.js';
import { addFailureReason, addDocumentOutcome, raiseDiscoveredCount } from '../run-counters.js';

/**
 * Records the documents that a crawl or a listing sync has found, in one transaction. Skips documents that the run has
 * already recorded.
 *
 * @throws Problem 400 for a checkpoint that exceeds the size limit
 */
export async function recordDocuments(
  db: Queries,
  request: RecordDocumentsRequest,
  now: Date,
): Promise<RecordDocumentsResponse> {
  requireSmallCheckpoint(request.checkpoint);
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, request);
    if (typeof locked === 'string') return { state: getEndedRunState(locked), deferred: [], documents: 0 };
    const { toIndex, settled, deferred } = await selectNewDocuments(tx, locked, request);
    await addDocumentsInProgress(tx, locked, toIndex, now);
    await clearDocumentVersions(
      tx,
      request.datasourceId,
      toIndex.map(({ documentKey }) => documentKey),
    );
    await storeFoundDocumentOutcomes(tx, locked, settled, new Date(request.at));
    const recorded = toIndex.length + settled.length;
    const counted = addSettledDocuments(locked.run, settled);
    const { documentsExpected: expected, documentsRecorded, checkpoint } = counted;
    const documents = documentsRecorded + recorded;
    await tx
      .update(runs)
      .set({
        ...{ counters: raiseDiscoveredCount(counted.counters, documents), failureReasons: counted.failureReasons },
        ...{ documentsSettled: counted.documentsSettled, documentsRecorded: documents, lastEventAt: now },
        documentsExpected: expected === null ? null : expected + recorded,
        checkpoint: request.checkpoint ?? checkpoint,
        lastError: recorded === 0 ? counted.lastError : clearRunError(counted.lastError),
      })
      .where(eq(runs.id, locked.run.id));
    return { state: 'wanted', deferred, documents };
  });
}

function requireSmallCheckpoint(checkpoint: RecordDocumentsRequest['checkpoint']): void {
  const bytes = checkpoint === undefined ? 0 : Buffer.byteLength(JSON.stringify(checkpoint));
  if (bytes > MAX_CHECKPOINT_BYTES) {
    throw createFieldProblem('checkpoint', `must have at most ${MAX_CHECKPOINT_BYTES} bytes as JSON, found ${bytes}`);
  }
}

interface NewDocuments {
  readonly toIndex: readonly DocumentToIndex[];
  readonly settled: readonly DocumentOutcomeFound[];
  /**
   * Keys of documents that differ from the recorded version: they have another version or are now invalid. A later run
   * reads them again.
   */
  readonly deferred: readonly string[];
}

/**
 * Selects the documents that the run has not recorded yet. Of several documents with the same key, selects the first.
 */
async function selectNewDocuments(
  tx: Queries,
  locked: LockedRun,
  request: RecordDocumentsRequest,
): Promise<NewDocuments> {
  const keys = [...request.toIndex, ...request.settled].map(({ documentKey }) => documentKey);
  if (keys.length === 0) return { toIndex: [], settled: [], deferred: [] };
  const recorded = new Map([
    ...(await findSettledVersions(tx, locked, keys)),
    ...(await findDocumentsInProgress(tx, locked, keys)),
  ]);
  const deferred = new Set<string>();
  const toIndex = request.toIndex.filter(({ documentKey, version = null }) => {
    const isNew = !recorded.has(documentKey);
    if (isNew) recorded.set(documentKey, version);
    else if (recorded.get(documentKey) !== version) deferred.add(documentKey);
    return isNew;
  });
  const settled = request.settled.filter(({ documentKey, outcome, version = null }) => {
    const isNew = !recorded.has(documentKey);
    if (isNew) recorded.set(documentKey, version);
    else if (outcome === 'failed' && recorded.get(documentKey) !== version) deferred.add(documentKey);
    return isNew;
  });
  return { toIndex, settled, deferred: [...deferred] };
}

/** Returns the run with the outcomes of settled documents added to its counters. */
function addSettledDocuments(run: RunRow, settled: readonly DocumentOutcomeFound[]): RunRow {
  let { counters, failureReasons } = run;
  for (const { outcome, code, message } of settled) {
    counters = addDocumentOutcome(counters, outcome);
    if (outcome !== 'unchanged') failureReasons = addFailureReason(failureReasons, code ?? outcome, message ?? '');
  }
  return { ...run, counters, failureReasons, documentsSettled: run.documentsSettled + settled.length };
}

/** Stores documents as in progress, and writes their ingestion jobs to the outbox. */
export async function addDocumentsInProgress(
  tx: Queries,
  { row, run }: LockedRun,
  documents: readonly DocumentToIndex[],
  now: Date,
): Promise<void> {
  if (documents.length === 0) return;
  const [datastore] = await tx.select().from(datastores).where(eq(datastores.id, row.datastoreId));
  if (datastore === undefined)
    throw new Error(`expected a row of datastore ${row.datastoreId} of datasource ${row.id}, found none`);
  const { organizationId, id: datasourceId } = row;
  const rows = documents.map((document) => ({
    ...{ organizationId, datasourceId, runId: run.id, documentKey: document.documentKey },
    ...{ version: document.version ?? null, createdAt: now },
    job: buildFoundDocumentJob(datastore, row, run, document),
  }));
  await tx.insert(runDocuments).values(rows);
  await writeOutboxJobs(
    tx,
    organizationId,
    rows.map(({ job }) => buildFoundDocumentOutboxJob(job)),
  );
}
