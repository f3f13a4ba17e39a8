import type { DatasourceStatus, DatasourceType, ListOrder } from '@quarry/contracts';
import { and, eq, getTableColumns, ilike, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import { documentTotals } from '../database/tables/document-totals.js';
import { type RunRow, runs } from '../database/tables/runs.js';
import { buildWindowQuery } from '../paging/id-window.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import { type Caller, canAccessDatastore } from '../access/caller.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import type { DocumentTotals } from '../usage/document-totals.js';
import { computeIdentityKey } from './document-identity.js';
import { buildPresentDatastoreCondition, lockDatastore } from '../datastores/datastore-repository.js';

/** Contains a datasource, its latest run and the totals of its documents. */
export interface FoundDatasource {
  readonly datasource: DatasourceRow;
  /** The latest run. Null if the datasource was never synced. */
  readonly run: RunRow | null;
  /** The totals of the datasource's documents. Null for a file, text or page, and if there are no documents. */
  readonly totals: DocumentTotals | null;
}

/**
 * Loads the datasources with these ids. Omits unknown ids, and datasources whose datastore is not in `datastoreIds`.
 */
export async function loadDatasources(
  db: Queries,
  ids: readonly string[],
  datastoreIds: readonly string[],
): Promise<readonly FoundDatasource[]> {
  const buildInCondition = (column: PgColumn, values: readonly string[]): SQL =>
    sql`${column} = any(${sql.param([...values])}::uuid[])`;
  return selectDatasourcesWithRuns(db).where(
    and(
      buildInCondition(datasources.id, ids),
      buildInCondition(datasources.datastoreId, datastoreIds),
      buildPresentDatastoreCondition(),
    ),
  );
}

/** Selects datasources. A datasource must meet all conditions that are not undefined. */
export interface DatasourceFilter {
  readonly datastoreId?: string | undefined;
  readonly status?: DatasourceStatus | undefined;
  readonly type?: DatasourceType | undefined;
  /** The id that the client gave to the upserted text. */
  readonly documentId?: string | undefined;
  /** A part of the name of the datasource. Upper and lower case are equal. */
  readonly name?: string | undefined;
  /** Code of the reason why the latest run failed. */
  readonly errorCode?: string | undefined;
  /** The ids of the datastores that a limited key can access. Undefined: the key can access all datastores. */
  readonly accessibleDatastoreIds?: readonly string[] | undefined;
}

/**
 * Returns the datasource with this id and its latest run.
 *
 * @throws Problem 404 if the organization has no such datasource
 */
export async function findDatasource(db: Queries, organizationId: string, id: string): Promise<FoundDatasource> {
  const [found] = await selectDatasourcesWithRuns(db).where(buildIdCondition(organizationId, id));
  if (found === undefined) throw createNotFoundProblem('datasource', id);
  return found;
}

/** Selects a page of datasources, and the order of the list. */
export interface DatasourcePageRequest extends PageRequest {
  readonly order: ListOrder;
}

/**
 * Returns a page of datasources.
 *
 * @returns at most `limit + 1` datasources; the additional one shows that another page follows
 */
export async function listDatasources(
  db: Queries,
  organizationId: string,
  filter: DatasourceFilter,
  { limit, order, before: previous }: DatasourcePageRequest,
): Promise<readonly FoundDatasource[]> {
  const page = buildWindowQuery(datasources.id, { limit, order, after: previous, before: undefined });
  return selectDatasourcesWithRuns(db)
    .where(
      and(
        eq(datasources.organizationId, organizationId),
        buildPresentDatastoreCondition(),
        page.where,
        filter.datastoreId === undefined ? undefined : eq(datasources.datastoreId, filter.datastoreId),
        buildStatusCondition(filter.status),
        filter.type === undefined ? undefined : eq(datasources.type, filter.type),
        filter.documentId === undefined
          ? undefined
          : eq(datasources.identity, computeIdentityKey({ kind: 'document', id: filter.documentId })),
        filter.name === undefined ? undefined : ilike(datasources.name, `%${escapeLikePattern(filter.name)}%`),
        filter.errorCode === undefined
          ? undefined
          : and(eq(datasources.errorCode, filter.errorCode), sql`${datasources.status} <> 'synched'`),
        filter.accessibleDatastoreIds === undefined
          ? undefined
          : inArray(datasources.datastoreId, [...filter.accessibleDatastoreIds]),
      ),
    )
    .orderBy(page.by)
    .limit(limit + 1);
}

/** Escapes the wildcards of the SQL operator LIKE in a text. */
function escapeLikePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/**
 * Builds the condition that selects datasources by status. Repeats the condition of the partial index as a literal,
 * because PostgreSQL cannot derive it from the parameter `status`.
 */
function buildStatusCondition(status: DatasourceStatus | undefined): SQL | undefined {
  if (status === undefined) return undefined;
  const isStatus = eq(datasources.status, status);
  return status === 'synched' ? isStatus : and(isStatus, sql`${datasources.status} <> 'synched'`);
}

/** Locks a datasource until the transaction ends, and returns its row. @throws Problem 404 if there is none */
export async function lockDatasource(tx: Queries, organizationId: string, id: string): Promise<DatasourceRow> {
  const [row] = await tx.select().from(datasources).where(buildIdCondition(organizationId, id)).for('update');
  if (row === undefined) throw createNotFoundProblem('datasource', id);
  return row;
}

/** Contains the fields of a datasource that responses show together with fragments of the datasource. */
export type DatasourceLabel = Pick<DatasourceRow, 'id' | 'name' | 'type' | 'documentKey' | 'config' | 'metadata'>;

/** Loads the labels of datasources. @returns a map by datasource id, without the ids of removed datasources */
export async function loadDatasourceLabels(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DatasourceLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await selectLabels(db).execute({ organizationId, ids: [...new Set(ids)] });
  return new Map(rows.map((row) => [row.id, row]));
}

const selectLabels = cacheStatementPerDatabase((db) =>
  db
    .select({
      id: datasources.id,
      name: datasources.name,
      type: datasources.type,
      documentKey: datasources.documentKey,
      config: datasources.config,
      metadata: datasources.metadata,
    })
    .from(datasources)
    .where(
      and(
        eq(datasources.organizationId, sql.placeholder('organizationId')),
        sql`${datasources.id} = any(${sql.placeholder('ids')}::uuid[])`,
        buildPresentDatastoreCondition(),
      ),
    )
    .prepare(UNNAMED_STATEMENT),
);

// The return type is inferred, because Drizzle does not export the type of a query.
function selectDatasourcesWithRuns(db: Queries) {
  return db
    .select({
      datasource: getTableColumns(datasources),
      run: getTableColumns(runs),
      totals: getTableColumns(documentTotals),
    })
    .from(datasources)
    .leftJoin(runs, eq(runs.id, datasources.runId))
    .leftJoin(documentTotals, eq(documentTotals.datasourceId, datasources.id));
}

function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(datasources.organizationId, organizationId), eq(datasources.id, id), buildPresentDatastoreCondition());
}

/**
 * Returns the datasource with this id.
 *
 * @throws Problem 404 if it does not exist or the caller cannot access its datastore
 */
export async function requireDatasource(db: Queries, caller: Caller, id: string): Promise<FoundDatasource> {
  const known = parseResourceId('datasource', id);
  const found = await findDatasource(db, caller.organizationId, known);
  if (!canAccessDatastore(caller, found.datasource.datastoreId)) throw createNotFoundProblem('datasource', id);
  return found;
}

/**
 * Locks a datasource and its datastore until the transaction ends. Locks the datastore first, as every transaction
 * does, so that transactions cannot deadlock. A concurrent removal of the datastore waits until this transaction ends.
 *
 * @throws Problem 404 if there is no such datasource
 */
export async function lockDatasourceAndDatastore(
  tx: Queries,
  organizationId: string,
  id: string,
): Promise<{ readonly row: DatasourceRow; readonly datastore: DatastoreRow }> {
  const { datasource } = await findDatasource(tx, organizationId, id);
  const datastore = await lockDatastore(tx, organizationId, datasource.datastoreId);
  return { row: await lockDatasource(tx, organizationId, id), datastore };
}
