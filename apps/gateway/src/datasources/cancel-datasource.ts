import { cancelRuns } from '@quarry/blob-store';
import { isSettled } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { findDatasource, lockDatasource, type FoundDatasource } from './datasource-repository.js';
import { recordEvent } from '../runs/record-events.js';

/**
 * Ends the run under way, at once, as `error` with the code `cancelled`. What it has indexed so far stays. The services are let
 * know first: when the gateway dies in between, they end the run in the same way.
 *
 * @throws Problem 404, or 409 when no run is under way
 */
export async function cancelDatasource(
  { db, blobs, clock }: Pick<Gateway, 'db' | 'blobs' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<FoundDatasource> {
  return db.transaction(async (tx) => {
    const row = await lockDatasource(tx, organizationId, id);
    const run = await runUnderWay(tx, row);
    await cancelRuns(blobs, { ...row, datasourceId: id, generation: run.generation });
    const now = clock();
    await recordEvent(
      tx,
      {
        datasourceId: id,
        event: { type: 'settled', runId: run.id, sequence: row.sequence + 1, status: 'error' },
        at: now,
        code: 'cancelled',
        message: 'The run was cancelled. What it had indexed stays; sync the datasource to go on.',
      },
      now,
    );
    return findDatasource(tx, organizationId, id);
  });
}

async function runUnderWay(tx: Queries, { id, runId, status }: DatasourceRow): Promise<RunRow> {
  if (runId === null || isSettled(status)) {
    throw problem('nothing_to_cancel', `No run of the datasource ${id} is under way; its status is ${status}.`);
  }
  const [run] = await tx.select().from(runs).where(eq(runs.id, runId));
  if (run === undefined) throw new Error(`run ${runId} of datasource ${id} is not written down`);
  return run;
}
