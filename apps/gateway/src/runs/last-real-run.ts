import { isSettled, type DatasourceStatus, type RunStatus } from '@quarry/contracts';
import { and, desc, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';

/** Returns the newest run of a datasource that was not a dry run. */
export async function findLastRealRun(tx: Queries, datasourceId: string): Promise<RunRow | undefined> {
  const [run] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.datasourceId, datasourceId), eq(runs.dryRun, false)))
    .orderBy(desc(runs.generation))
    .limit(1);
  return run;
}

/** Computes the columns that restore a datasource after a dry run to the state of its last real run. */
export async function restoreLastRealRun(
  tx: Queries,
  { id, lastSynch }: DatasourceRow,
): Promise<Partial<Pick<DatasourceRow, 'status' | 'errorCode' | 'errorMessage' | 'lastSynch'>>> {
  const run = await findLastRealRun(tx, id);
  if (run === undefined || !hasSettled(run.status)) return { lastSynch };
  const isError = run.status !== 'synched';
  return {
    status: run.status,
    lastSynch,
    errorCode: isError ? (run.code ?? run.status) : null,
    errorMessage: run.message,
  };
}

function hasSettled(status: RunStatus): status is DatasourceStatus {
  return status !== 'superseded' && isSettled(status);
}
