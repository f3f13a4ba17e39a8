import type { DocumentRetrying, DocumentSettled, RunEnumerated } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { storeOutcome } from './document-rows.js';
import { endDocument, findUnderWay } from './documents-under-way.js';
import { foretellRemoval, type Seen } from './foretell-removal.js';
import { lastErrorOf, withoutDocumentError } from './last-error.js';
import { lockRun, type LockedRun } from './lock-run.js';
import type { Recorded } from './record-events.js';
import { recordLateDocument } from './record-late-document.js';
import { countsRecorded } from './run-report.js';
import { settleIfAllDone } from './settle-documents.js';
import { addReason, count, grown, withFetched } from './tally.js';
import { withTruncated } from './truncation.js';

/** `told_before`: the same event was recorded before. */
export type DocumentRecorded = Recorded | 'told_before';

/**
 * Records how one of a run's documents ended, and ends the run with its last one. An event that comes twice counts once. Of a run
 * that has ended, only what is stored is recorded.
 */
export async function recordDocument(db: Queries, settled: DocumentSettled, now: Date): Promise<DocumentRecorded> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, settled);
    if (typeof locked === 'string') {
      await recordLateDocument(tx, settled);
      return locked;
    }
    const { row, run } = locked;
    const underWay = await endDocument(tx, locked, settled.documentKey);
    if (!(await storeOutcome(tx, locked, settled, underWay?.version ?? null))) {
      await recordLateDocument(tx, settled);
      return 'told_before';
    }
    const { outcome, code, message } = settled;
    const hasReason = outcome === 'failed' || outcome === 'skipped';
    const next: RunRow = {
      ...withTruncated(run, settled.truncatedFragments),
      counters: count(run.counters, outcome),
      documentsSettled: run.documentsSettled + 1,
      ingestionFailures: run.ingestionFailures + (underWay !== undefined && outcome === 'failed' ? 1 : 0),
      lastError: withoutDocumentError(run.lastError, settled),
      failureReasons: hasReason ? addReason(run.failureReasons, code ?? outcome, message ?? '') : run.failureReasons,
      heardAt: now,
    };
    return settleIfAllDone(tx, { row, run: next }, now);
  });
}

/** Records why one of a run's documents is being retried. An event that comes after the document has settled changes nothing. */
export async function recordRetry(db: Queries, retry: DocumentRetrying, now: Date): Promise<DocumentRecorded> {
  return onLockedRun(db, retry, async (tx, locked) => {
    const { documentKey } = retry;
    const underWay = await findUnderWay(tx, locked, [documentKey]);
    if (!underWay.has(documentKey)) return 'out_of_order';
    const lastError = lastErrorOf(retry.lastError, documentKey);
    await tx.update(runs).set({ lastError, heardAt: now }).where(eq(runs.id, locked.run.id));
    return 'under_way';
  });
}

/**
 * Records that every document of a run has been found, and ends the run when none of them is under way.
 *
 * @param seen by a dry run that has read everything
 */
export async function recordEnumeration(
  db: Queries,
  enumerated: RunEnumerated,
  now: Date,
  seen?: Seen,
): Promise<DocumentRecorded> {
  return onLockedRun(db, enumerated, async (tx, { row, run }) => {
    if (run.documentsExpected !== null) return 'told_before';
    const { complete: enumeratedAll, note = null, discovered = 0, fetched = 0, listingState = null } = enumerated;
    const documentsExpected = run.documentsRecorded;
    const counters = countsRecorded(run)
      ? withFetched(run.counters, fetched)
      : grown(run.counters, { discovered, fetched });
    const found: RunRow = { ...run, counters, documentsExpected, enumeratedAll, note, listingState, heardAt: now };
    const next = seen === undefined ? found : await foretellRemoval(tx, found, seen);
    return settleIfAllDone(tx, { row, run: next }, now);
  });
}

async function onLockedRun(
  db: Queries,
  event: { readonly datasourceId: string; readonly runId: string },
  record: (tx: Queries, locked: LockedRun) => Promise<DocumentRecorded>,
): Promise<DocumentRecorded> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, event);
    return typeof locked === 'string' ? locked : record(tx, locked);
  });
}
