import { sql } from 'drizzle-orm';
import type { Queries } from '../../database/database.js';
import type { DatasourceRow } from '../../database/tables/datasources.js';
import { runs } from '../../database/tables/runs.js';

/** Number of newest runs that are stored per datasource: about a day of runs that start every 15 minutes. */
export const MAX_STORED_RUNS = 100;

/**
 * Deletes all but the newest runs of each datasource. Dry runs and real runs are counted separately, so that dry runs
 * never displace the last real run.
 */
export async function deleteOldRuns(
  tx: Queries,
  rows: readonly DatasourceRow[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  const ids = rows.flatMap(({ id, runId }) => (runId === null ? [] : [id]));
  if (ids.length === 0) return;
  // With `materialized`, PostgreSQL searches for the newest run to delete once per datasource, and not once per stored
  // run.
  await tx.execute(sql`
    with newest_deleted as materialized (
      select started.id, found.generation from unnest(${sql.param(ids)}::uuid[]) as started (id), lateral (
        select stored.generation from ${runs} stored
        where stored.datasource_id = started.id and stored.dry_run = ${dryRun}
        order by stored.generation desc offset ${MAX_STORED_RUNS} limit 1) as found)
    delete from ${runs} using newest_deleted
    where ${runs.datasourceId} = newest_deleted.id and ${runs.dryRun} = ${dryRun}
      and ${runs.generation} <= newest_deleted.generation`);
}
