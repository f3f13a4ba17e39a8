import type { Queries } from '../database/database.js';
import { lockWithDatastore } from './lock-with-datastore.js';
import { startRuns, type DatasourceWithRun } from './start-runs.js';

/**
 * Starts another run: over the bytes that are kept, or from the address.
 *
 * @throws Problem 404, or 409 when there is neither
 */
export async function syncDatasource(
  db: Queries,
  organizationId: string,
  id: string,
  now: Date,
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
    const [started] = await startRuns(tx, datastore, [row], now);
    if (started === undefined) throw new Error(`no run of datasource ${id} was started`);
    return started;
  });
}
