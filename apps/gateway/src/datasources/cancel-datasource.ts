import type { RunOfDatasource } from '@quarry/blob-store';
import { isSettled } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { writeCancellationMarker } from '../runs/cancellation-marker.js';
import { recordEvent } from '../runs/record-events.js';
import { findDatasource, lockDatasource, type FoundDatasource } from './datasource-repository.js';

/**
 * Ends the run under way, at once, as `error` with the code `cancelled`. What it has indexed so far stays.
 *
 * @throws Problem 404, or 409 when no run is under way
 */
export async function cancelDatasource(
  gateway: Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<FoundDatasource> {
  const now = gateway.clock();
  const { found, cancelled } = await gateway.db.transaction(async (tx) => {
    const row = await lockDatasource(tx, organizationId, id);
    const run = await runUnderWay(tx, row);
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
    const ended: RunOfDatasource = { ...row, datasourceId: id, generation: run.generation };
    return { found: await findDatasource(tx, organizationId, id), cancelled: ended };
  });
  await writeCancellationMarker(gateway, cancelled);
  return found;
}

async function runUnderWay(tx: Queries, { id, runId, status }: DatasourceRow): Promise<RunRow> {
  if (runId === null || isSettled(status)) {
    throw problem('nothing_to_cancel', `No run of the datasource ${id} is under way; its status is ${status}.`);
  }
  const [run] = await tx.select().from(runs).where(eq(runs.id, runId));
  if (run === undefined) throw new Error(`the run ${runId} of the datasource ${id} is not stored`);
  return run;
}
