import { type DatasourceStatus, isSettled, type RunStatus } from '@quarry/contracts';
import { and, desc, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { applyBackOff, type RunEnd } from '../schedule/next-sync.js';
import { type RunRow, runs } from '../database/tables/runs.js';
import { hasDocumentsInProgress } from './documents-in-progress.js';
import type { LockedRun } from './lock-run.js';
import { loadStoredTotals } from './stored-totals.js';

/** Computes the columns of a datasource that only the end of a run changes. */
export async function finishDatasource(
  tx: Queries,
  { row, run }: LockedRun,
  end: RunEnd,
  now: Date,
): Promise<Partial<DatasourceRow>> {
  if (run.dryRun) return restoreLastRealRun(tx, row);
  // A run that was cancelled or ended by the watchdog may have stored documents.
  const stored = row.documentKey === null || run.documentsSettled > 0 ? await loadStoredTotals(tx, row.id) : {};
  const isComplete = run.documentsExpected !== null && !(await hasDocumentsInProgress(tx, { row, run }));
  return { ...stored, ...computeListingState(run, end, isComplete), ...applyBackOff(row, run, end, now) };
}

/**
 * Computes the cursor from which the next incremental sync of a listing continues. After failures in ingestion the cursor stays, so
 * that the next sync reads those items again; a full sync repeats them anyway, because their versions are not confirmed.
 *
 * @param isComplete true if all documents of the run were found and have settled
 */
function computeListingState(
  { mode, listingState, ingestionFailures }: RunRow,
  { status }: RunEnd,
  isComplete: boolean,
): Partial<Pick<DatasourceRow, 'listingState'>> {
  const isKept = ingestionFailures === 0 ? isComplete : mode === 'full' && status === 'synched';
  return isKept && listingState !== null ? { listingState } : {};
}

/** Returns the newest run of a datasource that was not a dry run. */
async function findLastRealRun(tx: Queries, datasourceId: string): Promise<RunRow | undefined> {
  const [run] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.datasourceId, datasourceId), eq(runs.dryRun, false)))
    .orderBy(desc(runs.generation))
    .limit(1);
  return run;
}

/** Computes the columns that restore a datasource after a dry run to the state of its last real run. */
async function restoreLastRealRun(
  tx: Queries,
  { id, lastSynch }: DatasourceRow,
): Promise<Partial<Pick<DatasourceRow, 'status' | 'errorCode' | 'errorMessage' | 'lastSynch'>>> {
  const run = await findLastRealRun(tx, id);
  if (run === undefined || !hasSettled(run.status)) return { lastSynch };
  const isError = run.status !== 'synched';
  return {
    status: run.status,
    lastSynch,
    errorCode: isError ? (run.code ?? run.status) : null,
    errorMessage: run.message,
  };
}

function hasSettled(status: RunStatus): status is DatasourceStatus {
  return status !== 'superseded' && isSettled(status);
}
