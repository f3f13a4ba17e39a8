import type { DocumentRetrying, DocumentSettled, RunEnumerated } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { Batcher } from '@quarry/batching';
import type { Queries } from '../../database/database.js';
import { type RunRow, runs } from '../../database/tables/runs.js';
import { storeDocumentOutcome } from '../document-rows.js';
import { findDocumentsInProgress, removeDocumentInProgress, type LockedRun, lockRun } from '../run-in-progress.js';
import {
  areDocumentsCountedWhenRecorded,
  addDocumentOutcome,
  addFailureReason,
  raiseCounters,
  raiseFetchedCount,
} from '../run-counters.js';
import {
  addRunNote,
  addPageNotes,
  buildLastError,
  clearDocumentError,
  addTruncatedFragments,
  parseReportedNotes,
} from '../run-notes.js';
import { type FoundKeys, previewRemoval } from './mass-removal.js';
import type { RecordingResult } from './apply-run-update.js';
import { settleRunIfComplete } from './settle-run.js';
import { recordLateDocument } from './late-events.js';

/** The result of recording an event about a document. `already_recorded`: the same event was recorded before. */
export type DocumentRecordingResult = RecordingResult | 'already_recorded';

/**
 * Records outcomes of documents. Concurrent events of one run share a transaction, so that they do not wait for each
 * other's lock of the datasource.
 */
export interface OutcomeRecorder {
  /** Records an outcome. Resolves when the transaction that contains the outcome is committed. */
  record(settled: DocumentSettled): Promise<DocumentRecordingResult>;
}

interface WaitingOutcome {
  readonly settled: DocumentSettled;
  recorded?: DocumentRecordingResult | undefined;
}

interface RunBatches {
  readonly batcher: Batcher<WaitingOutcome>;
  /**
   * Number of outcomes of this run that are not committed yet. When it reaches zero, the batcher of the run is
   * discarded.
   */
  waiting: number;
}

/**
 * Maximum number of outcomes per transaction, which limits the time for which the transaction holds the lock of the
 * datasource.
 */
const MAX_BATCH = 100;

/**
 * Creates a recorder of document outcomes. If a shared transaction fails, its outcomes are recorded one by one, so that
 * only the invalid outcome fails.
 */
export function createOutcomeRecorder({
  db,
  clock,
}: {
  readonly db: Queries;
  readonly clock: () => Date;
}): OutcomeRecorder {
  const runs = new Map<string, RunBatches>();
  const commitBatch = async (batch: readonly WaitingOutcome[]): Promise<void> => {
    const recorded = await recordDocumentOutcomes(
      db,
      batch.map(({ settled }) => settled),
      clock(),
    );
    for (const [at, one] of batch.entries()) one.recorded = recorded[at];
  };
  const openBatches = (runId: string): RunBatches => {
    const opened = runs.get(runId) ?? {
      batcher: new Batcher({ commit: commitBatch, createAdmission: createBatchLimit, lingerMs: 0 }),
      waiting: 0,
    };
    runs.set(runId, opened);
    return opened;
  };
  return {
    record: async (settled) => {
      const key = `${settled.datasourceId} ${settled.runId}`;
      const ofRun = openBatches(key);
      const one: WaitingOutcome = { settled };
      ofRun.waiting += 1;
      try {
        await ofRun.batcher.addWrite(one);
      } catch {
        return await recordDocumentOutcome(db, settled, clock());
      } finally {
        ofRun.waiting -= 1;
        if (ofRun.waiting === 0) runs.delete(key);
      }
      if (one.recorded === undefined)
        throw new Error('expected a result for each recorded outcome of a document, found none');
      return one.recorded;
    },
  };
}

/**
 * Creates a predicate that is called once per outcome, and returns true for the first `MAX_BATCH` outcomes of a
 * transaction.
 */
function createBatchLimit(): () => boolean {
  let count = 0;
  return () => (count += 1) <= MAX_BATCH;
}

/**
 * Records the outcome of one document of a run, and ends the run if it was the last document. A repeated event counts
 * once. After the end of the run, only a document that was indexed or unchanged is recorded: see `recordLateDocument`.
 */
export async function recordDocumentOutcome(
  db: Queries,
  settled: DocumentSettled,
  now: Date,
): Promise<DocumentRecordingResult> {
  const [recorded = 'already_recorded'] = await recordDocumentOutcomes(db, [settled], now);
  return recorded;
}

/**
 * Records the outcomes of documents of one run in one transaction, which locks the datasource once.
 *
 * @param outcomes events of the same run
 * @returns the results in the order of `outcomes`
 */
export async function recordDocumentOutcomes(
  db: Queries,
  outcomes: readonly DocumentSettled[],
  now: Date,
): Promise<readonly DocumentRecordingResult[]> {
  const [first] = outcomes;
  if (first === undefined) return [];
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, first);
    if (typeof locked === 'string') {
      for (const settled of outcomes) await recordLateDocument(tx, settled);
      return outcomes.map(() => locked);
    }
    const { row } = locked;
    let run: RunRow = { ...locked.run, lastEventAt: now };
    const areNew: boolean[] = [];
    for (const settled of outcomes) {
      const next = await recordOutcomeOfLockedRun(tx, { row, run }, settled);
      areNew.push(next !== undefined);
      run = next ?? run;
    }
    const recorded = areNew.includes(true) ? await settleRunIfComplete(tx, { row, run }, now) : 'already_recorded';
    return areNew.map((isNew) => (isNew ? recorded : 'already_recorded'));
  });
}

/**
 * Stores the outcome of a document.
 *
 * @returns the run with its new counts; undefined if an outcome of the document was already stored
 */
async function recordOutcomeOfLockedRun(
  tx: Queries,
  locked: LockedRun,
  settled: DocumentSettled,
): Promise<RunRow | undefined> {
  const { run } = locked;
  const underWay = await removeDocumentInProgress(tx, locked, settled.documentKey);
  if (!(await storeDocumentOutcome(tx, locked, settled, underWay?.version ?? null))) {
    await recordLateDocument(tx, settled);
    return undefined;
  }
  const { outcome, code, message } = settled;
  const hasReason = outcome === 'failed' || outcome === 'skipped';
  return {
    ...addPageNotes(
      addTruncatedFragments(run, settled.truncatedFragments),
      settled,
      settled.name ?? settled.documentKey,
    ),
    counters: addDocumentOutcome(run.counters, outcome),
    documentsSettled: run.documentsSettled + 1,
    ingestionFailures: run.ingestionFailures + (underWay !== undefined && outcome === 'failed' ? 1 : 0),
    lastError: clearDocumentError(run.lastError, settled),
    failureReasons: hasReason
      ? addFailureReason(run.failureReasons, code ?? outcome, message ?? '')
      : run.failureReasons,
  };
}

/**
 * Records the error after which the job of a document is retried, as the last error of the run. Changes nothing if the
 * document has already settled.
 */
export async function recordDocumentRetry(
  db: Queries,
  retry: DocumentRetrying,
  now: Date,
): Promise<DocumentRecordingResult> {
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
 * @param foundKeys the document keys of a complete dry run
 */
export async function recordRunEnumeration(
  db: Queries,
  enumerated: RunEnumerated,
  now: Date,
  foundKeys?: FoundKeys,
): Promise<DocumentRecordingResult> {
  return withLockedRun(db, enumerated, async (tx, { row, run }) => {
    if (run.documentsExpected !== null) return 'already_recorded';
    const { complete: enumeratedAll, discovered = 0, fetched = 0, listingState = null } = enumerated;
    const documentsExpected = run.documentsRecorded;
    const counters = areDocumentsCountedWhenRecorded(run)
      ? raiseFetchedCount(run.counters, fetched)
      : raiseCounters(run.counters, { discovered, fetched });
    const noted = parseReportedNotes(enumerated).reduce(addRunNote, run);
    const found: RunRow = { ...noted, counters, documentsExpected, enumeratedAll, listingState, lastEventAt: now };
    const next = foundKeys === undefined ? found : await previewRemoval(tx, found, foundKeys);
    return settleRunIfComplete(tx, { row, run: next }, now);
  });
}

/** Locks the run of an event, and calls `record`. If the run is not in progress, returns the reason instead. */
async function withLockedRun(
  db: Queries,
  event: { readonly datasourceId: string; readonly runId: string },
  record: (tx: Queries, locked: LockedRun) => Promise<DocumentRecordingResult>,
): Promise<DocumentRecordingResult> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, event);
    return typeof locked === 'string' ? locked : record(tx, locked);
  });
}
