import { isSettled, type SyncQuery } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { startRuns, type DatasourceWithRun, type RunKind } from '../runs/start-runs.js';
import { planNextSync } from '../schedule/next-sync.js';
import { lockWithDatastore } from './lock-with-datastore.js';

/**
 * Starts another run: over the bytes that are kept, or from the address. One that is under way is superseded.
 *
 * @throws Problem 404; 409 when there is neither, and for a dry run while another run is under way
 */
export async function syncDatasource(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  organizationId: string,
  id: string,
  { dryRun = false, full = false, allowMassRemoval = false }: SyncQuery = {},
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
    const underWay = await findFinderRun(tx, row);
    if (dryRun && row.status !== 'unsynched' && !isSettled(row.status)) {
      throw problem('run_under_way', `A run of the datasource ${id} is under way, which a dry run would replace.`);
    }
    const now = clock();
    // A full sync by hand replaces the next full sync of the schedule.
    const next = full && !dryRun ? planNextSync(row, now) : {};
    const kind = kindOf(row, { dryRun, full: full || isFullSync(underWay), allowMassRemoval });
    const [started] = await startRuns(tx, datastore, [{ ...row, ...next }], { now, kind });
    if (started === undefined) throw new Error(`no run of datasource ${id} was started`);
    return started;
  });
}

/** How a datasource is read by the next sync. */
export function kindOf({ type }: DatasourceRow, asked: SyncQuery): RunKind {
  const { dryRun = false, full = false, allowMassRemoval = false } = asked;
  if (type !== 'item_listing') return { mode: null, dryRun, allowMassRemoval };
  return { mode: full ? 'full' : 'incremental', dryRun, allowMassRemoval };
}

/** Finds the run under way of a datasource of many documents. */
export async function findFinderRun(tx: Queries, row: DatasourceRow): Promise<RunRow | undefined> {
  if (row.runId === null || row.documentKey !== null || isSettled(row.status)) return undefined;
  const [run] = await tx.select().from(runs).where(eq(runs.id, row.runId));
  return run;
}

/** Only a full sync finds out what is removed: one that is superseded is done by the run that supersedes it. */
function isFullSync(run: RunRow | undefined): boolean {
  return run?.mode === 'full' && !run.dryRun;
}
