import { isSettledStatus, type SyncQuery } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { startRuns, type DatasourceWithRun, type RunKind } from '../runs/start/start-runs.js';
import { planNextSync, requiresFullSync } from '../schedule/schedule.js';
import { loadDocumentTotals } from '../usage/document-totals.js';
import { lockDatasourceAndDatastore, type FoundDatasource } from './datasource-repository.js';

/**
 * Starts a new run of a datasource. The run reads the stored file or fetches the address again. If another run is in
 * progress, the new run supersedes it.
 *
 * @throws Problem 404 for an unknown datasource; 409 if it has no content to sync, or for a dry run while another run
 *   is in progress
 */
export async function syncDatasource(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  organizationId: string,
  id: string,
  { dryRun = false, full = false, allowMassRemoval = false }: SyncQuery = {},
): Promise<DatasourceWithRun & FoundDatasource> {
  return db.transaction(async (tx) => {
    const { row, datastore } = await lockDatasourceAndDatastore(tx, organizationId, id);
    const runInProgress = await findMultiDocumentRunInProgress(tx, row);
    if (dryRun && row.status !== 'unsynched' && !isSettledStatus(row.status)) {
      throw problem(
        'run_under_way',
        `A dry run would replace the run of the datasource ${id} that is in progress. Cancel that run or wait for its end.`,
      );
    }
    const now = clock();
    const kind = chooseRunKind(row, { dryRun, full: full || isFullSync(runInProgress), allowMassRemoval });
    // A full sync replaces the next scheduled full sync, so the schedule is computed again.
    const next = kind.mode === 'full' && !dryRun ? planNextSync(row, now) : {};
    const [started] = await startRuns(tx, datastore, [{ ...row, ...next }], { now, kind });
    if (started === undefined) throw new Error(`expected a started run of the datasource ${id}, found none`);
    return { ...started, totals: await loadDocumentTotals(tx, id) };
  });
}

/**
 * Determines the kind of run that a sync with these options starts. Only runs of listings have a mode (`full` or
 * `incremental`).
 */
export function chooseRunKind(row: DatasourceRow, options: SyncQuery): RunKind {
  const { dryRun = false, full = false, allowMassRemoval = false } = options;
  if (row.type !== 'item_listing') return { mode: null, dryRun, allowMassRemoval };
  const isFull = full || (!dryRun && requiresFullSync(row));
  return { mode: isFull ? 'full' : 'incremental', dryRun, allowMassRemoval };
}

/**
 * Returns the run in progress of a datasource of many documents. Undefined if no run is in progress, or if the
 * datasource is a single document.
 */
export async function findMultiDocumentRunInProgress(tx: Queries, row: DatasourceRow): Promise<RunRow | undefined> {
  if (row.runId === null || row.documentKey !== null || isSettledStatus(row.status)) return undefined;
  const [run] = await tx.select().from(runs).where(eq(runs.id, row.runId));
  return run;
}

/**
 * Returns true if a run is a full sync that is not a dry run. Only such a run removes the items that no longer exist, so
 * a run that supersedes it must be full, too.
 */
export function isFullSync(run: Pick<RunRow, 'mode' | 'dryRun'> | undefined): boolean {
  return run?.mode === 'full' && !run.dryRun;
}
