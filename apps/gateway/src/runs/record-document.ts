import type { DocumentSettled, RunEnumerated } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { RunRow } from '../database/tables/runs.js';
import { storeOutcome } from './document-rows.js';
import { endDocument } from './documents-under-way.js';
import { foretellRemoval, type Seen } from './foretell-removal.js';
import { lockRun, type LockedRun } from './lock-run.js';
import type { Recorded } from './record-events.js';
import { settleIfAllDone } from './settle-documents.js';
import { addReason, count, grown } from './tally.js';

/** `told_before`: the same event was recorded before. */
export type DocumentRecorded = Recorded | 'told_before';

/** Records how one of a run's documents ended, and ends the run with its last one. An event that comes twice counts once. */
export async function recordDocument(db: Queries, settled: DocumentSettled, now: Date): Promise<DocumentRecorded> {
  return onLockedRun(db, settled, async (tx, locked) => {
    const { row, run } = locked;
    const underWay = await endDocument(tx, locked, settled.documentKey);
    if (!(await storeOutcome(tx, locked, settled, underWay?.version ?? null))) return 'told_before';
    const { outcome, code, message } = settled;
    const hasReason = outcome === 'failed' || outcome === 'skipped';
    const next: RunRow = {
      ...run,
      counters: count(run.counters, outcome),
      documentsSettled: run.documentsSettled + 1,
      ingestionFailures: run.ingestionFailures + (underWay !== undefined && outcome === 'failed' ? 1 : 0),
      failureReasons: hasReason ? addReason(run.failureReasons, code ?? outcome, message ?? '') : run.failureReasons,
      heardAt: now,
    };
    return settleIfAllDone(tx, { row, run: next }, now);
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
    const documentsExpected = run.documentsRecorded > 0 ? run.documentsRecorded : (enumerated.documents ?? 0);
    const counters = grown(run.counters, { discovered, fetched });
    const found: RunRow = { ...run, counters, documentsExpected, enumeratedAll, note, listingState, heardAt: now };
    const next = seen === undefined ? found : await foretellRemoval(tx, found, seen);
    return settleIfAllDone(tx, { row, run: next }, now);
  });
}

type Record = (tx: Queries, locked: LockedRun) => Promise<DocumentRecorded>;

async function onLockedRun(
  db: Queries,
  event: { readonly datasourceId: string; readonly runId: string },
  record: Record,
): Promise<DocumentRecorded> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, event);
    return typeof locked === 'string' ? locked : record(tx, locked);
  });
}
