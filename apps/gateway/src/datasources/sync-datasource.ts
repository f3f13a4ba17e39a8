import { cancelRuns } from '@quarry/blob-store';
import { isSettled } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { lockWithDatastore } from './lock-with-datastore.js';
import { startRuns, type DatasourceWithRun } from './start-runs.js';

/**
 * Starts another run: over the bytes that are kept, or from the address. One that is under way is superseded.
 *
 * @throws Problem 404, or 409 when there is neither
 */
export async function syncDatasource(
  { db, blobs, clock }: Pick<Gateway, 'db' | 'blobs' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
    await stopCrawl({ blobs }, tx, row);
    const [started] = await startRuns(tx, datastore, [row], clock());
    if (started === undefined) throw new Error(`no run of datasource ${id} was started`);
    return started;
  });
}

/** Two crawls of one site at once would do the same work. */
async function stopCrawl({ blobs }: Pick<Gateway, 'blobs'>, tx: Queries, row: DatasourceRow): Promise<void> {
  if (row.runId === null || row.documentKey !== null || isSettled(row.status)) return;
  const [run] = await tx.select({ generation: runs.generation }).from(runs).where(eq(runs.id, row.runId));
  if (run !== undefined) await cancelRuns(blobs, { ...row, ...run, datasourceId: row.id });
}
