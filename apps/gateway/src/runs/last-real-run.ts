import { isSettled, type DatasourceStatus, type RunStatus } from '@quarry/contracts';
import { and, desc, eq, ne } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { documents } from '../database/tables/documents.js';
import { runs, type RunRow } from '../database/tables/runs.js';

/** The newest run of a datasource that was no dry run. */
export async function lastRealRun(tx: Queries, datasourceId: string): Promise<RunRow | undefined> {
  const [run] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.datasourceId, datasourceId), eq(runs.dryRun, false)))
    .orderBy(desc(runs.generation))
    .limit(1);
  return run;
}

/** A dry run changes nothing: when it ends, its datasource is again what the last real run left. */
export async function asBeforeDryRun(
  tx: Queries,
  { id, lastSynch }: DatasourceRow,
): Promise<Partial<Pick<DatasourceRow, 'status' | 'errorCode' | 'errorMessage' | 'lastSynch'>>> {
  const run = await lastRealRun(tx, id);
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

/**
 * Whether the next sync of a listing is to hand every item over again: the last one may have left some with ingestion that were
 * never indexed. What is in order is recognised there.
 *
 * @param thoroughly also when single documents of it failed in ingestion
 */
export async function needsReindex(tx: Queries, datasourceId: string, thoroughly: boolean): Promise<boolean> {
  const last = await lastRealRun(tx, datasourceId);
  if (last === undefined) return false;
  if (last.status !== 'synched') return last.reindex || hasReadItems(last);
  return thoroughly && (await tx.$count(documents, failedInIngestion(datasourceId))) > 0;
}

/** Progress is told after each page of items. */
function hasReadItems({ timeline }: RunRow): boolean {
  return timeline.some(({ step }) => step === 'fetching');
}

/** An item that is not valid fails before ingestion, and would again. */
function failedInIngestion(datasourceId: string): ReturnType<typeof and> {
  return and(
    eq(documents.datasourceId, datasourceId),
    eq(documents.outcome, 'failed'),
    ne(documents.code, 'item_invalid'),
  );
}
