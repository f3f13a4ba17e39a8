import type { DatasourceStatus, DatasourceType } from '@quarry/contracts';
import { and, desc, eq, getTableColumns, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { prepared, UNNAMED } from '../database/prepared.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import type { PageRequest } from '../paging/pages.js';
import { unknown } from '../checks/require-id.js';

/** A datasource and its latest run; null before the first. */
export interface FoundDatasource {
  readonly datasource: DatasourceRow;
  readonly run: RunRow | null;
}

export interface DatasourceFilter {
  readonly datastoreId?: string | undefined;
  readonly status?: DatasourceStatus | undefined;
  readonly type?: DatasourceType | undefined;
  /** The datastores a limited key reaches. */
  readonly onlyIn?: readonly string[] | undefined;
}

/** @throws Problem 404 */
export async function findDatasource(db: Queries, organizationId: string, id: string): Promise<FoundDatasource> {
  const [found] = await withRuns(db).where(oneOf(organizationId, id));
  if (found === undefined) throw unknown('datasource', id);
  return found;
}

/** @returns one more than the page holds, when there is more */
export async function listDatasources(
  db: Queries,
  organizationId: string,
  filter: DatasourceFilter,
  page: PageRequest,
): Promise<readonly FoundDatasource[]> {
  return withRuns(db)
    .where(
      and(
        eq(datasources.organizationId, organizationId),
        page.before === undefined ? undefined : lt(datasources.id, page.before),
        filter.datastoreId === undefined ? undefined : eq(datasources.datastoreId, filter.datastoreId),
        filter.status === undefined ? undefined : eq(datasources.status, filter.status),
        filter.type === undefined ? undefined : eq(datasources.type, filter.type),
        filter.onlyIn === undefined ? undefined : inArray(datasources.datastoreId, [...filter.onlyIn]),
      ),
    )
    .orderBy(desc(datasources.id))
    .limit(page.limit + 1);
}

/** The row, which nobody else changes until the transaction ends. @throws Problem 404 */
export async function lockDatasource(tx: Queries, organizationId: string, id: string): Promise<DatasourceRow> {
  const [row] = await tx.select().from(datasources).where(oneOf(organizationId, id)).for('update');
  if (row === undefined) throw unknown('datasource', id);
  return row;
}

export type DatasourceLabel = Pick<DatasourceRow, 'id' | 'name' | 'type'>;

/** What to call the datasources of found fragments. One that was removed meanwhile is not among them. */
export async function labelsOf(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DatasourceLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await labelsById(db).execute({ organizationId, ids: [...new Set(ids)] });
  return new Map(rows.map((row) => [row.id, row]));
}

const labelsById = prepared((db) =>
  db
    .select({ id: datasources.id, name: datasources.name, type: datasources.type })
    .from(datasources)
    .where(
      and(
        eq(datasources.organizationId, sql.placeholder('organizationId')),
        sql`${datasources.id} = any(${sql.placeholder('ids')}::uuid[])`,
      ),
    )
    .prepare(UNNAMED),
);

// The join's builder has a type of its vendor's that only inference can name.
function withRuns(db: Queries) {
  return db
    .select({ datasource: getTableColumns(datasources), run: getTableColumns(runs) })
    .from(datasources)
    .leftJoin(runs, eq(runs.id, datasources.runId));
}

function oneOf(organizationId: string, id: string): SQL | undefined {
  return and(eq(datasources.organizationId, organizationId), eq(datasources.id, id));
}
