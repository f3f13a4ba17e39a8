import type { DocumentRetrying, DocumentSettled, RunEnumerated } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { type RunRow, runs } from '../database/tables/runs.js';
import { isId } from '../database/id.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import { type DocumentRow, documents } from '../database/tables/documents.js';
import { isInPresentDatastore } from '../datastores/datastore-repository.js';
import { runDocuments } from '../database/tables/run-documents.js';
import { settleDocumentTokens } from '../usage/settle-tokens.js';
import { storeOutcome } from './document-rows.js';
import { findDocumentsInProgress, removeDocumentInProgress } from './documents-in-progress.js';
import { type FoundKeys, previewRemoval } from './preview-removal.js';
import { type LockedRun, lockRun } from './lock-run.js';
import type { Recorded } from './record-events.js';
import { buildDocumentPages } from './page-counts.js';
import { isCountedWhenRecorded } from './run-update.js';
import { settleRunIfComplete } from './settle-run.js';
import { addDocumentOutcome, addReason, raiseCounters, raiseFetchedCount } from './run-counters.js';
import { addNote, addPageNotes, buildLastError, clearDocumentError, addTruncatedFragments } from './run-notes.js';
import { loadStoredTotals } from './stored-totals.js';

/** The result of recording a document. `already_recorded`: the same event was recorded before. */
export type DocumentRecorded = Recorded | 'already_recorded';

/**
 * Records the outcome of one document of a run, and ends the run with its last document. A repeated event counts once. After the
 * end of the run, only the stored fragments are recorded.
 */
export async function recordDocument(db: Queries, settled: DocumentSettled, now: Date): Promise<DocumentRecorded> {
  const [recorded = 'already_recorded'] = await recordOutcomes(db, [settled], now);
  return recorded;
}

/**
 * Records the outcomes of documents of one run in one transaction, which locks the datasource once.
 *
 * @param outcomes events of the same run
 * @returns the results in the order of `outcomes`
 */
export async function recordOutcomes(
  db: Queries,
  outcomes: readonly DocumentSettled[],
  now: Date,
): Promise<readonly DocumentRecorded[]> {
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
      const next = await recordOutcome(tx, { row, run }, settled);
      areNew.push(next !== undefined);
      run = next ?? run;
    }
    const recorded = areNew.includes(true) ? await settleRunIfComplete(tx, { row, run }, now) : 'already_recorded';
    return areNew.map((isNew) => (isNew ? recorded : 'already_recorded'));
  });
}

/** Stores the outcome of a document. @returns the run with its new counts; undefined if it had stored an outcome before */
async function recordOutcome(tx: Queries, locked: LockedRun, settled: DocumentSettled): Promise<RunRow | undefined> {
  const { run } = locked;
  const underWay = await removeDocumentInProgress(tx, locked, settled.documentKey);
  if (!(await storeOutcome(tx, locked, settled, underWay?.version ?? null))) {
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
    failureReasons: hasReason ? addReason(run.failureReasons, code ?? outcome, message ?? '') : run.failureReasons,
  };
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
    const { complete: enumeratedAll, note, discovered = 0, fetched = 0, listingState = null } = enumerated;
    const documentsExpected = run.documentsRecorded;
    const counters = isCountedWhenRecorded(run)
      ? raiseFetchedCount(run.counters, fetched)
      : raiseCounters(run.counters, { discovered, fetched });
    const noted = note === undefined ? run : addNote(run, note);
    const found: RunRow = { ...noted, counters, documentsExpected, enumeratedAll, listingState, lastEventAt: now };
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

/**
 * Records a document that was indexed after its run had ended, so that it is listed, its tokens count, and a later run can remove
 * it. The run, and documents that a newer run has indexed, do not change.
 *
 * @param tx a transaction that has locked the datasource
 */
async function recordLateDocument(tx: Queries, settled: DocumentSettled): Promise<void> {
  const { datasourceId, documentKey, runId, outcome } = settled;
  const isStored = outcome === 'indexed' || outcome === 'unchanged';
  if (!isStored || !isId(datasourceId)) return;
  const isPresent = and(eq(datasources.id, datasourceId), isInPresentDatastore());
  const [row] = await tx.select().from(datasources).where(isPresent);
  if (row === undefined) return;
  const identity = { organizationId: row.organizationId, datasourceId, documentKey };
  const isThis = and(eq(documents.datasourceId, datasourceId), eq(documents.documentKey, documentKey));
  const [known] = await tx.select().from(documents).where(isThis);
  const found = await findChangedColumns(tx, row, known, settled);
  if (found === undefined) return;
  const target = [documents.datasourceId, documents.documentKey];
  const { fragments = 0, storedTokens = 0 } = settled;
  const numbers = { fragments, storedTokens, pages: buildDocumentPages(settled) };
  await tx
    .insert(documents)
    .values({ ...identity, ...found, ...numbers, runId, outcome, settledAt: new Date(settled.at) })
    .onConflictDoUpdate({ target, set: { ...found, ...numbers } });
  await settleDocumentTokens(tx, identity, numbers.storedTokens);
  await tx
    .update(datasources)
    .set(await loadStoredTotals(tx, datasourceId))
    .where(eq(datasources.id, datasourceId));
}

/** Computes the columns of a document that change besides its counts. Returns undefined if the row already matches the index. */
async function findChangedColumns(
  tx: Queries,
  row: DatasourceRow,
  known: DocumentRow | undefined,
  settled: DocumentSettled,
): Promise<Partial<DocumentRow> | undefined> {
  const { runId, documentKey, outcome } = settled;
  const isNewer = known !== undefined && (await isRecordedByNewerRun(tx, known.runId, runId));
  const isIndexed = known?.outcome === 'indexed' || known?.outcome === 'unchanged';
  if (isIndexed && (isNewer || known.runId === runId)) return undefined;
  const version = settled.version ?? null;
  // A document in progress is about to be replaced, so its version is not confirmed.
  const confirmed = { version: (await isInProgress(tx, row, documentKey)) ? null : version };
  if (isNewer) return confirmed;
  const reason = { outcome, code: null, message: null };
  const shown = { name: settled.name ?? null, source: settled.source ?? null };
  return { ...confirmed, ...reason, ...shown, runId, foundVersion: version, settledAt: new Date(settled.at) };
}

async function isRecordedByNewerRun(tx: Queries, knownRunId: string, runId: string): Promise<boolean> {
  if (knownRunId === runId || !isId(runId)) return false;
  const rows = await tx
    .select({ id: runs.id, generation: runs.generation })
    .from(runs)
    .where(inArray(runs.id, [knownRunId, runId]));
  const generationOf = new Map(rows.map(({ id, generation }) => [id, generation]));
  // Only the oldest runs are deleted: a run without a row is older than every run that has one.
  return (generationOf.get(knownRunId) ?? 0) > (generationOf.get(runId) ?? 0);
}

async function isInProgress(tx: Queries, { id, runId }: DatasourceRow, documentKey: string): Promise<boolean> {
  if (runId === null) return false;
  const isThis = and(
    eq(runDocuments.datasourceId, id),
    eq(runDocuments.runId, runId),
    eq(runDocuments.documentKey, documentKey),
  );
  return (await tx.$count(runDocuments, isThis)) > 0;
}
