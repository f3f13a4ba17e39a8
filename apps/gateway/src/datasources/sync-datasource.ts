import type { Queries } from '../database/database.js';
import { problem } from '../problems.js';
import { isDocument } from './index-document-job.js';
import { lockWithDatastore } from './lock-with-datastore.js';
import { startRuns, type DatasourceWithRun } from './start-runs.js';

/**
 * Starts another run over the bytes that are kept.
 *
 * @throws Problem 404, or 409 when there are no bytes
 */
export async function syncDatasource(
  db: Queries,
  organizationId: string,
  id: string,
  now: Date,
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
    if (!isDocument(row)) throw problem('nothing_to_sync', `The datasource ${id} (${row.type}) holds no document.`);
    const [started] = await startRuns(tx, datastore, [row], now);
    if (started === undefined) throw new Error(`no run of datasource ${id} was started`);
    return started;
  });
}
