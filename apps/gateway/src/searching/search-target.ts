import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { ExcludedContent, QueryFilters, SearchScope } from '@quarry/contracts';
import { shareConcurrentCalls } from '../concurrency/share-concurrent-calls.js';
import type { Queries } from '../database/database.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { agentDatastores, agents } from '../database/tables/agents.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';
import { type RemovalKind, removals } from '../database/tables/removals.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Caller } from '../access/caller.js';
import { IS_USE_DUE, recordDatastoreUse } from '../datastores/datastore-expiry.js';
import { problem } from '../problems.js';
import { requireDatastoreAccess } from '../datastores/datastore-repository.js';

/**
 * Maximum number of removed documents that a search excludes. If there are more, the most recently removed documents
 * are excluded. Removed datasources are always excluded. A removed document beyond the limit can be found until its
 * removal job has run.
 */
export const MAX_EXCLUDED_DOCUMENTS = 1_000;

/**
 * Identifies deleted content that may still be in the fragment store: either a whole datasource, or those fragments of
 * a document whose generation is at most `upTo`.
 */
export type PendingRemoval =
  | { readonly datasourceId: string; readonly documentKey: null; readonly upTo: null }
  | { readonly datasourceId: string; readonly documentKey: string; readonly upTo: number };

/**
 * Contains those fields of a datastore that a search needs, and the pending removals of the datastore. One SQL
 * statement reads both.
 */
export interface SearchTarget extends Pick<DatastoreRow, 'organizationId' | 'id' | 'embedding' | 'expiredAt'> {
  /** True if the datastore can expire and its last use was recorded more than an hour ago. */
  readonly isUseDue: boolean;
  readonly removals: readonly PendingRemoval[];
}

/**
 * Returns a datastore whose content the caller may read, even if it has expired.
 *
 * @throws Problem 404 if there is none
 */
export async function requireReadableDatastore(db: Queries, caller: Caller, id: string): Promise<SearchTarget> {
  const [row] = await loadSearchTargets(db, caller.organizationId, [requireDatastoreAccess(caller, id)]);
  if (row === undefined) throw createNotFoundProblem('datastore', id);
  return row;
}

/**
 * Returns a datastore that the caller may search, and records that it is used.
 *
 * @throws Problem 404 if there is none; 400 if it has expired
 */
export async function requireSearchTarget(db: Queries, caller: Caller, id: string): Promise<SearchTarget> {
  const target = await requireReadableDatastore(db, caller, id);
  await recordSearchTargetUse(db, [target]);
  return target;
}

/**
 * Returns datastores that the caller may search, and records that they are used.
 *
 * @throws Problem 404 with the first id that is unknown or not accessible; 400 if a datastore has expired
 */
export async function requireSearchTargets(
  db: Queries,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly SearchTarget[]> {
  const knownIds = ids.map((id) => requireDatastoreAccess(caller, id));
  const found = await loadSearchTargets(db, caller.organizationId, knownIds);
  const missing = knownIds.find((id) => !found.some((target) => target.id === id));
  if (missing !== undefined) throw createNotFoundProblem('datastore', missing);
  await recordSearchTargetUse(db, found);
  return found;
}

/**
 * Records that datastores are used, because they are about to be searched.
 *
 * @throws Problem 400 if one of the datastores has expired; in this case, no use is recorded
 */
async function recordSearchTargetUse(db: Queries, targets: readonly SearchTarget[]): Promise<void> {
  const expired = targets.find(({ expiredAt }) => expiredAt !== null);
  if (expired !== undefined) {
    const detail = `The datastore ${expired.id} expired on ${expired.expiredAt?.toISOString()}. Set a new expiry to search it.`;
    throw problem('datastore_expired', detail);
  }
  await recordDatastoreUse(db, targets);
}

/**
 * Returns a datastore of an organization that can be searched, and records that it is used.
 *
 * @throws Problem 404 if there is none; 400 if it has expired
 */
export async function requireOwnSearchTarget(db: Queries, organizationId: string, id: string): Promise<SearchTarget> {
  const [target] = await loadSearchTargets(db, organizationId, [id]);
  if (target === undefined) throw createNotFoundProblem('datastore', id);
  await recordSearchTargetUse(db, [target]);
  return target;
}

/**
 * Finds the datastores with the given ids that can be searched, and records that they are used.
 *
 * @returns the datastores that exist and have not expired, in no particular order
 */
export async function findSearchTargets(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly SearchTarget[]> {
  const found = (await loadSearchTargets(db, organizationId, ids)).filter(({ expiredAt }) => expiredAt === null);
  await recordDatastoreUse(db, found);
  return found;
}

async function loadSearchTargets(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly SearchTarget[]> {
  return ids.length === 0 ? [] : loadSharedTargets(db)({ organizationId, ids });
}

interface TargetIds {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

/** Loads the search targets of datastores. Concurrent calls for the same datastores share one database statement. */
const loadSharedTargets = cacheStatementPerDatabase((db) =>
  shareConcurrentCalls(
    ({ organizationId, ids }: TargetIds) => [organizationId, ...ids].join(' '),
    async ({ organizationId, ids }): Promise<readonly SearchTarget[]> =>
      searchTargets(db).execute({ organizationId, ids }),
  ),
);

const fields = sql`${removals.datasourceId} as "datasourceId", ${removals.documentKey} as "documentKey", ${removals.upTo} as "upTo"`;

function selectPendingRemovals(kind: RemovalKind): SQL {
  // The kind is a literal in the SQL text, because a prepared statement has no parameters with fixed values.
  return sql`select ${fields} from ${removals}
    where ${removals.datastoreId} = ${datastores.id} and ${removals.kind} = ${sql.raw(`'${kind}'`)}`;
}

/**
 * Selects the pending removals of a datastore as one JSON array, so that the statement returns one row per datastore.
 */
const pending = sql<readonly PendingRemoval[]>`coalesce((
  select json_agg(pending) from (
    (${selectPendingRemovals('datasource')})
    union all
    (${selectPendingRemovals('document')} order by ${removals.createdAt} desc limit ${sql.raw(String(MAX_EXCLUDED_DOCUMENTS))})
  ) as pending
), '[]')`;

const searchTargets = cacheStatementPerDatabase((db) =>
  db
    .select({
      organizationId: datastores.organizationId,
      id: datastores.id,
      embedding: datastores.embedding,
      expiredAt: datastores.expiredAt,
      isUseDue: IS_USE_DUE.as('is_use_due'),
      removals: pending.as('removals'),
    })
    .from(datastores)
    .where(
      and(
        eq(datastores.organizationId, sql.placeholder('organizationId')),
        sql`${datastores.id} = any(${sql.placeholder('ids')}::uuid[])`,
        isNull(datastores.removedAt),
      ),
    )
    .prepare(UNNAMED_STATEMENT),
);

/**
 * Selects those datastores of an agent that have not expired, as one JSON array in the order in which the datastores
 * were attached. Must be part of a statement that selects from `agents`.
 */
export const TARGETS_OF_AGENT = sql<readonly SearchTarget[]>`coalesce((
  select json_agg(
    json_build_object(
      'organizationId', organization_id, 'id', id, 'embedding', embedding,
      'expiredAt', null, 'isUseDue', is_use_due, 'removals', removals)
    order by position)
  from (${sql`
    select ${datastores}.organization_id, ${datastores}.id, ${datastores}.embedding, ${agentDatastores}.position,
      ${IS_USE_DUE} as is_use_due, ${pending} as removals
    from ${agentDatastores} join ${datastores} on ${datastores}.id = ${agentDatastores}.datastore_id
    where ${agentDatastores}.agent_id = ${agents}.id and ${datastores}.removed_at is null and ${datastores}.expired_at is null`}) as target
), '[]')`;

/**
 * Builds the scope of a search: the given datastores of an organization, the filters of the caller, and the removed
 * content that the search must exclude.
 */
export function buildSearchScope(
  organizationId: string,
  datastores: readonly SearchTarget[],
  filters: QueryFilters | null | undefined,
): Pick<SearchScope, keyof SearchScope> {
  const excluded = collectExclusions(datastores);
  return {
    organizationId,
    datastores: datastores.map(({ id, embedding }) => (embedding === null ? { id } : { id, embedding })),
    ...(filters === null || filters === undefined ? {} : { filters: normalizeFilters(filters) }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}

/**
 * Collects the removed content that a search excludes: every removed datasource, and the most recently removed
 * documents. Returns undefined if there is none.
 */
function collectExclusions(datastores: readonly SearchTarget[]): ExcludedContent | undefined {
  const removals = datastores.flatMap((datastore) =>
    datastore.removals.map((removal) => ({ ...removal, datastoreId: datastore.id })),
  );
  if (removals.length === 0) return undefined;
  const datasourceIds = removals
    .filter(({ documentKey }) => documentKey === null)
    .map(({ datasourceId }) => datasourceId);
  const documents = removals.flatMap(({ datastoreId, datasourceId, documentKey, upTo }) =>
    documentKey === null ? [] : [{ datastoreId, datasourceId, documentKey, upTo }],
  );
  const newest = documents.sort((a, b) => b.upTo - a.upTo).slice(0, MAX_EXCLUDED_DOCUMENTS);
  return { datasourceIds, documents: newest };
}

/**
 * Removes filters that are null or undefined, and converts ids to lower case, as ids are stored. A filter with an empty
 * list is not removed, because it matches nothing: clients send it for visitors who may see no content.
 */
function normalizeFilters(filters: QueryFilters): QueryFilters {
  const present = Object.entries(filters).filter(([, filter]) => filter !== null && filter !== undefined);
  const ids = filters.datasource_ids?.map((id) => id.toLowerCase());
  return Object.fromEntries([...present, ...(ids === undefined ? [] : [['datasource_ids', ids] as const])]);
}
