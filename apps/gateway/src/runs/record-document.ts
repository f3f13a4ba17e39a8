import type { DocumentRetrying, DocumentSettled, RunEnumerated } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { storeOutcome } from './document-rows.js';
import { removeDocumentInProgress, findDocumentsInProgress } from './documents-under-way.js';
import { previewRemoval, type FoundKeys } from './preview-removal.js';
import { buildLastError, clearDocumentError } from './last-error.js';
import { lockRun, type LockedRun } from './lock-run.js';
import type { Recorded } from './record-events.js';
import { recordLateDocument } from './record-late-document.js';
import { isCountedWhenRecorded } from './run-update.js';
import { settleRunIfComplete } from './settle-documents.js';
import { addReason, addOutcome, raiseCounters, raiseFetched } from './run-counters.js';
import { countTruncatedFragments } from './truncation.js';

/** The result of recording a document. `already_recorded`: the same event was recorded before. */
export type DocumentRecorded = Recorded | 'already_recorded';

/**
 * Records the outcome of one document of a run, and ends the run with its last document. A repeated event counts once. After the
 * end of the run, only the stored fragments are recorded.
 */
export async function recordDocument(db: Queries, settled: DocumentSettled, now: Date): Promise<DocumentRecorded> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, settled);
    if (typeof locked === 'string') {
      await recordLateDocument(tx, settled);
      return locked;
    }
    const { row, run } = locked;
    const underWay = await removeDocumentInProgress(tx, locked, settled.documentKey);
    if (!(await storeOutcome(tx, locked, settled, underWay?.version ?? null))) {
      await recordLateDocument(tx, settled);
      return 'already_recorded';
    }
    const { outcome, code, message } = settled;
    const hasReason = outcome === 'failed' || outcome === 'skipped';
    const next: RunRow = {
      ...countTruncatedFragments(run, settled.truncatedFragments),
      counters: addOutcome(run.counters, outcome),
      documentsSettled: run.documentsSettled + 1,
      ingestionFailures: run.ingestionFailures + (underWay !== undefined && outcome === 'failed' ? 1 : 0),
      lastError: clearDocumentError(run.lastError, settled),
      failureReasons: hasReason ? addReason(run.failureReasons, code ?? outcome, message ?? '') : run.failureReasons,
      lastEventAt: now,
    };
    return settleRunIfComplete(tx, { row, run: next }, now);
  });
}

/**
 * Records the error for which a document of a run is retried. An event that arrives after the document has settled changes nothing.
 */
export async function recordRetry(db: Queries, retry: DocumentRetrying, now: Date): Promise<DocumentRecorded> {
  return withLockedRun(db, retry, async (tx, locked) => {
    const { documentKey } = retry;
    const underWay = await findDocumentsInProgress(tx, locked, [documentKey]);
    if (!underWay.has(documentKey)) return 'out_of_order';
    const lastError = buildLastError(retry.lastError, documentKey);
    await tx.update(runs).set({ lastError, lastEventAt: now }).where(eq(runs.id, locked.run.id));
    return 'under_way';
  });
}

/**
 * Records that all documents of a run have been found, and ends the run if no document is in progress.
 *
 * @param seen the document keys of a complete dry run
 */
export async function recordEnumeration(
  db: Queries,
  enumerated: RunEnumerated,
  now: Date,
  seen?: FoundKeys,
): Promise<DocumentRecorded> {
  return withLockedRun(db, enumerated, async (tx, { row, run }) => {
    if (run.documentsExpected !== null) return 'already_recorded';
    const { complete: enumeratedAll, note = null, discovered = 0, fetched = 0, listingState = null } = enumerated;
    const documentsExpected = run.documentsRecorded;
    const counters = isCountedWhenRecorded(run)
      ? raiseFetched(run.counters, fetched)
      : raiseCounters(run.counters, { discovered, fetched });
    const found: RunRow = { ...run, counters, documentsExpected, enumeratedAll, note, listingState, lastEventAt: now };
    const next = seen === undefined ? found : await previewRemoval(tx, found, seen);
    return settleRunIfComplete(tx, { row, run: next }, now);
  });
}

async function withLockedRun(
  db: Queries,
  event: { readonly datasourceId: string; readonly runId: string },
  record: (tx: Queries, locked: LockedRun) => Promise<DocumentRecorded>,
): Promise<DocumentRecorded> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, event);
    return typeof locked === 'string' ? locked : record(tx, locked);
  });
}
