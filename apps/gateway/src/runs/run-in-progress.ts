import { isSettledStatus, type RunRef, type RunState } from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import { buildPresentDatastoreCondition } from '../datastores/datastore-repository.js';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { runDocuments } from '../database/tables/run-documents.js';
import { deleteJobsOfRuns } from '../outbox/outbox.js';

/** Holds a run that is in progress, and its datasource, whose row is locked. */
export interface LockedRun {
  readonly row: DatasourceRow;
  readonly run: RunRow;
}

/**
 * The reason why a run is not in progress. `unknown_datasource`: its datasource was removed. `stale_run`: a newer run
 * superseded it. `not_allowed`: it has ended.
 */
export type NotInProgress = 'unknown_datasource' | 'stale_run' | 'not_allowed';

/**
 * Locks the datasource of a run until the transaction ends.
 *
 * @returns the locked run, or the reason why the run is not in progress
 */
export async function lockRun(
  tx: Queries,
  { datasourceId, runId }: Pick<RunRef, keyof RunRef>,
): Promise<LockedRun | NotInProgress> {
  if (!isId(datasourceId)) return 'unknown_datasource';
  const isThis = and(eq(datasources.id, datasourceId), buildPresentDatastoreCondition());
  const [row] = await tx.select().from(datasources).where(isThis).for('update');
  if (row === undefined) return 'unknown_datasource';
  if (row.runId !== runId) return 'stale_run';
  if (isSettledStatus(row.status)) return 'not_allowed';
  const [run] = await tx.select().from(runs).where(eq(runs.id, runId));
  if (run === undefined) throw new Error(`expected a row of run ${runId} of datasource ${row.id}, found none`);
  return { row, run };
}

/** Returns the run state that a worker receives for a run that is not in progress. */
export function getEndedRunState(reason: NotInProgress): RunState {
  return reason === 'unknown_datasource' ? 'removed' : 'cancelled';
}

/**
 * Finds those of the given documents that are in progress in a run.
 *
 * @param keys document keys
 * @returns the versions of the found documents, keyed by document key. Null: the document has no version
 */
export async function findDocumentsInProgress(
  tx: Queries,
  { row, run }: LockedRun,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const hasKey = sql`${runDocuments.documentKey} = any(${sql.param(keys)}::text[])`;
  const rows = await tx
    .select({ key: runDocuments.documentKey, version: runDocuments.version })
    .from(runDocuments)
    .where(and(buildRunDocumentsCondition(row.id, run.id), hasKey));
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/** Removes a settled document from the documents in progress. @returns undefined if the document was not in progress */
export async function removeDocumentInProgress(
  tx: Queries,
  { row, run }: LockedRun,
  documentKey: string,
): Promise<{ readonly version: string | null } | undefined> {
  if (run.documentsRecorded === 0) return undefined;
  const [ended] = await tx
    .delete(runDocuments)
    .where(and(buildRunDocumentsCondition(row.id, run.id), eq(runDocuments.documentKey, documentKey)))
    .returning({ version: runDocuments.version });
  return ended;
}

/** Returns true while documents of a run are in progress. */
export async function hasDocumentsInProgress(tx: Queries, { row, run }: LockedRun): Promise<boolean> {
  if (run.documentsRecorded === 0) return false;
  const found = await tx
    .select({ key: runDocuments.documentKey })
    .from(runDocuments)
    .where(buildRunDocumentsCondition(row.id, run.id))
    .limit(1);
  return found.length > 0;
}

/** Removes all documents in progress of runs that have ended, with the waiting jobs of these documents. */
export async function removeDocumentsInProgress(
  tx: Queries,
  endedRuns: readonly Pick<RunRow, 'id' | 'datasourceId' | 'documentsRecorded'>[],
): Promise<void> {
  const recording = endedRuns.filter(({ documentsRecorded }) => documentsRecorded > 0);
  for (const { id, datasourceId } of recording)
    await tx.delete(runDocuments).where(buildRunDocumentsCondition(datasourceId, id));
  await deleteJobsOfRuns(
    tx,
    recording.map(({ id }) => id),
  );
}

function buildRunDocumentsCondition(datasourceId: string, runId: string) {
  return and(eq(runDocuments.datasourceId, datasourceId), eq(runDocuments.runId, runId));
}
