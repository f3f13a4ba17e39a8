import { and, desc, eq, lt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import type { PageRequest } from '../paging/pages.js';

/** Lists the runs of a datasource, newest first. @returns at most one row more than the page size */
export async function listRuns(
  db: Queries,
  datasource: { readonly organizationId: string; readonly id: string },
  { limit, before }: PageRequest,
): Promise<readonly RunRow[]> {
  const ofDatasource = and(eq(runs.organizationId, datasource.organizationId), eq(runs.datasourceId, datasource.id));
  const selectGeneration = (id: string) =>
    db
      .select({ generation: runs.generation })
      .from(runs)
      .where(and(ofDatasource, eq(runs.id, id)));
  return db
    .select()
    .from(runs)
    .where(and(ofDatasource, before === undefined ? undefined : lt(runs.generation, selectGeneration(before))))
    .orderBy(desc(runs.generation))
    .limit(limit + 1);
}
