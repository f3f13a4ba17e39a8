import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';
import { applyBackOff, type RunEnd } from '../schedule/back-off.js';
import { hasDocumentsInProgress } from './documents-under-way.js';
import type { LockedRun } from './lock-run.js';
import { sumStored } from './stored-totals.js';
import { restoreLastRealRun } from './last-real-run.js';

/** Computes the columns of a datasource that only the end of a run changes. */
export async function finishDatasource(
  tx: Queries,
  { row, run }: LockedRun,
  end: RunEnd,
  now: Date,
): Promise<Partial<DatasourceRow>> {
  if (run.dryRun) return restoreLastRealRun(tx, row);
  // A run that was cancelled or ended by the watchdog may have stored documents.
  const stored = row.documentKey === null || run.documentsSettled > 0 ? await sumStored(tx, row.id) : {};
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
