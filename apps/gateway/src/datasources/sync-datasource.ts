import { cancelRuns } from '@quarry/blob-store';
import { isSettled, type SyncQuery } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { lockWithDatastore } from './lock-with-datastore.js';
import { nextSync } from '../schedule/next-sync.js';
import { needsReindex } from '../runs/last-real-run.js';
import { startRuns, type DatasourceWithRun, type RunKind } from '../runs/start-runs.js';

/**
 * Starts another run: over the bytes that are kept, or from the address. One that is under way is superseded.
 *
 * @throws Problem 404; 409 when there is neither, and for a dry run while another run is under way
 */
export async function syncDatasource(
  { db, blobs, clock }: Pick<Gateway, 'db' | 'blobs' | 'clock'>,
  organizationId: string,
  id: string,
  { dryRun = false, full = false, allowMassRemoval = false }: SyncQuery = {},
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
    if (dryRun && row.status !== 'unsynched' && !isSettled(row.status)) {
      throw problem('run_under_way', `A run of the datasource ${id} is under way, which a dry run would replace.`);
    }
    await stopCrawl({ blobs }, tx, row);
    const now = clock();
    // Who has just had all of a listing read need not have it read again so soon.
    const next = full && !dryRun ? nextSync(row, now) : {};
    const kind = await kindOf(tx, row, { dryRun, full, allowMassRemoval });
    const [started] = await startRuns(tx, datastore, [{ ...row, ...next }], now, kind);
    if (started === undefined) throw new Error(`no run of datasource ${id} was started`);
    return started;
  });
}

/** How a datasource is read by the next sync. */
export async function kindOf(tx: Queries, { id, type }: DatasourceRow, asked: SyncQuery): Promise<RunKind> {
  const { dryRun = false, full = false, allowMassRemoval = false } = asked;
  if (type !== 'item_listing') return { mode: null, dryRun, reindex: false, allowMassRemoval };
  const reindex = !dryRun && (await needsReindex(tx, id, true));
  return { mode: full ? 'full' : 'incremental', dryRun, reindex, allowMassRemoval };
}

/** Two crawls of one site at once would do the same work. */
async function stopCrawl({ blobs }: Pick<Gateway, 'blobs'>, tx: Queries, row: DatasourceRow): Promise<void> {
  if (row.runId === null || row.documentKey !== null || isSettled(row.status)) return;
  const [run] = await tx.select({ generation: runs.generation }).from(runs).where(eq(runs.id, row.runId));
  if (run !== undefined) await cancelRuns(blobs, { ...row, ...run, datasourceId: row.id });
}
