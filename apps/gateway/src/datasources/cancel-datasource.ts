import { isSettledStatus } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { Gateway } from '../gateway.js';
import { deleteJobsOfRuns } from '../outbox/outbox.js';
import { problem } from '../problems.js';
import { recordUpdateWithLock } from '../runs/update/record-update-with-lock.js';
import { findDatasource, lockDatasource, type FoundDatasource } from './datasource-repository.js';

const CANCELLED = {
  kind: 'aborted',
  code: 'cancelled',
  message: 'The run was cancelled. Indexed content stays. Sync the datasource to continue.',
} as const;

/**
 * Ends the run in progress of a datasource. The datasource gets the status `error` and the error code `cancelled`.
 * Documents that the run has indexed stay searchable.
 *
 * @throws Problem 404 for an unknown datasource, 409 if no run is in progress
 */
export async function cancelDatasource(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<FoundDatasource> {
  const now = clock();
  return db.transaction(async (tx) => {
    const row = await lockDatasource(tx, organizationId, id);
    const runId = requireRunInProgress(row);
    const event = { type: 'ended', runId, sequence: row.sequence + 1, ending: CANCELLED } as const;
    await recordUpdateWithLock(tx, { datasourceId: id, event, at: now }, now);
    await deleteJobsOfRuns(tx, [runId]);
    return findDatasource(tx, organizationId, id);
  });
}

/** Returns the id of the datasource's run in progress. @throws Problem 409 if no run is in progress */
function requireRunInProgress({ id, runId, status }: DatasourceRow): string {
  if (runId === null || isSettledStatus(status)) {
    throw problem('nothing_to_cancel', `No run of the datasource ${id} is in progress. Its status is ${status}.`);
  }
  return runId;
}
