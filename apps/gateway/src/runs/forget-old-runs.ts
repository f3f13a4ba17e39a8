import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';

/** A day's, where one starts every quarter of an hour. */
export const RUNS_KEPT = 100;

/**
 * Forgets the runs of each datasource but its newest ones. Dry runs are counted by themselves: however many there are, the last
 * run that did something is known.
 */
export async function forgetOldRuns(
  tx: Queries,
  rows: readonly DatasourceRow[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  // A row without a run has none that are old.
  const ids = rows.flatMap(({ id, runId }) => (runId === null ? [] : [id]));
  if (ids.length === 0) return;
  const newestToGo = sql`(
    select kept.generation from ${runs} kept
    where kept.datasource_id = ${runs.datasourceId} and kept.dry_run = ${dryRun}
    order by kept.generation desc offset ${RUNS_KEPT} limit 1)`;
  const old = sql`${runs.generation} <= ${newestToGo}`;
  await tx.delete(runs).where(and(inArray(runs.datasourceId, ids), eq(runs.dryRun, dryRun), old));
}
