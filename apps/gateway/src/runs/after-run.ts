import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';
import { backOff, type RunEnd } from '../schedule/back-off.js';
import { hasUnderWay } from './documents-under-way.js';
import { heldBy } from './held-documents.js';
import { asBeforeDryRun } from './last-real-run.js';

/** Returns what the end of a run changes in its datasource, beside what every event changes. */
export async function afterRun(
  tx: Queries,
  row: DatasourceRow,
  run: RunRow,
  end: RunEnd,
  now: Date,
): Promise<Partial<DatasourceRow>> {
  if (run.dryRun) return asBeforeDryRun(tx, row);
  // A run of several documents may end before its time has told of them all.
  const held = row.documentKey === null || run.documentsSettled > 0 ? await heldBy(tx, row.id) : {};
  const isComplete = run.documentsExpected !== null && !(await hasUnderWay(tx, { row, run }));
  return { ...held, ...listingStateAfter(run, end, isComplete), ...backOff(row, run, end, now) };
}

/**
 * An incremental sync continues after the items that the last one has read, so those that failed in ingestion would be left out. A
 * full one repeats them, since their versions are not confirmed. A run whose items all break the contract ends in `error`, and has
 * read them nevertheless: the next one need not report them again.
 *
 * @param isComplete whether all documents of the run were found and have settled
 */
function listingStateAfter(
  { mode, listingState, ingestionFailures }: RunRow,
  { status }: RunEnd,
  isComplete: boolean,
): Partial<Pick<DatasourceRow, 'listingState'>> {
  const isKept = ingestionFailures === 0 ? isComplete : mode === 'full' && status === 'synched';
  return isKept && listingState !== null ? { listingState } : {};
}
