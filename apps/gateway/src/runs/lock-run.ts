import { isSettled, type RunRef, type RunState } from '@quarry/contracts';
import { and, eq } from 'drizzle-orm';
import { isInPresentDatastore } from '../datastores/datastore-repository.js';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';

/** Holds a run that is in progress, and its datasource, whose row is locked. */
export interface LockedRun {
  readonly row: DatasourceRow;
  readonly run: RunRow;
}

/** States why a run is not in progress: its datasource was removed, a newer run superseded it, or it has ended. */
export type NotInProgress = 'unknown_datasource' | 'stale_run' | 'not_allowed';

/** Locks the datasource of a run until the transaction ends. @returns why the run is not in progress, if it is not */
export async function lockRun(
  tx: Queries,
  { datasourceId, runId }: Pick<RunRef, keyof RunRef>,
): Promise<LockedRun | NotInProgress> {
  if (!isId(datasourceId)) return 'unknown_datasource';
  const isThis = and(eq(datasources.id, datasourceId), isInPresentDatastore());
  const [row] = await tx.select().from(datasources).where(isThis).for('update');
  if (row === undefined) return 'unknown_datasource';
  if (row.runId !== runId) return 'stale_run';
  if (isSettled(row.status)) return 'not_allowed';
  const [run] = await tx.select().from(runs).where(eq(runs.id, runId));
  if (run === undefined) throw new Error(`expected a row of run ${runId} of datasource ${row.id}, found none`);
  return { row, run };
}

/** Returns the run state that a worker receives for a run that is not in progress. */
export function getEndedRunState(why: NotInProgress): RunState {
  return why === 'unknown_datasource' ? 'removed' : 'cancelled';
}
