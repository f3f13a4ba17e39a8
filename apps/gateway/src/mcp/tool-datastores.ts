import { MAX_PAGE_SIZE } from '@quarry/contracts';
import { listAgents, requireAgentAccess } from '../agents/agent-repository.js';
import { canAccessDatastore } from '../access/caller.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { listDatastores, requireDatastore } from '../datastores/datastore-repository.js';
import { type FoundDatasource, requireDatasource } from '../datasources/datasource-repository.js';
import { findSearchTargets, requireSearchTargets, type SearchTarget } from '../searching/search-target.js';
import { buildPage } from '../paging/pages.js';
import type { McpCall } from './mcp-call.js';

/** Maximum number of datastores in one search. It equals the maximum number of datastores of an agent. */
export const MAX_DATASTORES = 20;

/**
 * Returns the ids of the datastores to which the API key and the agent of the endpoint limit the call. Undefined: all
 * datastores of the organization.
 */
export function getAllowedDatastoreIds({ agent, caller }: McpCall): readonly string[] | undefined {
  return agent === undefined
    ? caller.limits?.datastoreIds
    : agent.datastoreIds.filter((id) => canAccessDatastore(caller, id));
}

/**
 * Returns the datastores to search.
 *
 * @param ids the ids in the call; undefined: all datastores that the caller can list through the HTTP API
 * @throws Problem 400 if `ids` is undefined and the call can access no datastore or more than `MAX_DATASTORES`, 404 for
 *   an id that the call cannot access
 */
export async function findDatastoresToSearch(
  call: McpCall,
  ids: readonly string[] | undefined,
): Promise<readonly SearchTarget[]> {
  const { gateway, caller } = call;
  if (ids !== undefined) {
    for (const id of ids) requireAllowedDatastore(call, 'datastore', id, id.toLowerCase());
    return requireSearchTargets(gateway.db, caller, ids);
  }
  const known = getAllowedDatastoreIds(call) ?? (await listKnownDatastoreIds(call));
  if (known.length > MAX_DATASTORES) {
    throw createFieldProblem(
      'datastoreIds',
      `must be present, with at most ${MAX_DATASTORES} ids, because the key has access to more datastores than that; found nothing`,
    );
  }
  const found = await findSearchTargets(gateway.db, caller.organizationId, known);
  if (found.length > 0) return found;
  throw createFieldProblem(
    'datastoreIds',
    'must be present, because the key can list no datastore that can be searched; found nothing',
  );
}

/**
 * Lists the ids of the datastores that a key without limits can list. If the key does not have the scope for listing
 * datastores, lists the datastores of all agents. Stops when the list has more than `MAX_DATASTORES` ids.
 */
async function listKnownDatastoreIds({
  gateway: { db },
  caller,
  canUseOperation,
}: McpCall): Promise<readonly string[]> {
  const { organizationId } = caller;
  if (canUseOperation('listDatastores')) {
    const page = { limit: MAX_DATASTORES, before: undefined };
    return (await listDatastores(db, organizationId, page, undefined)).map(({ id }) => id);
  }
  const ids = new Set<string>();
  let before: string | undefined;
  do {
    const page = { limit: MAX_PAGE_SIZE, before };
    const rows = await listAgents(db, organizationId, page, undefined);
    const { items, next_cursor: next } = buildPage(rows, page, (agent) => agent);
    for (const id of items.flatMap(({ datastoreIds }) => datastoreIds)) ids.add(id);
    before = next === null ? undefined : items.at(-1)?.id;
  } while (before !== undefined && ids.size <= MAX_DATASTORES);
  return [...ids];
}

/**
 * Returns the datastore with this id. If `id` is undefined, returns the only datastore that the call can access.
 *
 * @throws Problem 400 if `id` is undefined and the call can access no datastore or several, 404 for an id that the call
 *   cannot access
 */
export async function requireToolDatastore(call: McpCall, id: string | undefined): Promise<DatastoreRow> {
  if (id !== undefined) {
    requireAllowedDatastore(call, 'datastore', id, id.toLowerCase());
    return requireDatastore(call.gateway.db, call.caller, id);
  }
  const [only, ...others] = await listAccessibleDatastores(call);
  if (only !== undefined && others.length === 0) return only;
  throw createFieldProblem(
    'datastoreId',
    'must be present unless the key has access to exactly one datastore; found nothing',
  );
}

/** Returns the datasource with this id. @throws Problem 404 if the call cannot access it */
export async function requireToolDatasource(call: McpCall, id: string): Promise<FoundDatasource> {
  const found = await requireDatasource(call.gateway.db, call.caller, id);
  requireAllowedDatastore(call, 'datasource', id, found.datasource.datastoreId);
  return found;
}

/**
 * Returns the id of the agent to ask. This is the agent of the endpoint. On an endpoint without an agent, it is `id`.
 *
 * @throws Problem 400 if the endpoint has no agent and `id` is undefined, 404 for an id that the call cannot access
 */
export function requireToolAgentId({ caller, agent }: McpCall, id: string | undefined): string {
  if (agent === undefined) {
    if (id === undefined) throw createFieldProblem('agentId', 'must be the id of an agent, found nothing');
    return requireAgentAccess(caller, id);
  }
  if (id !== undefined && parseResourceId('agent', id) !== agent.id) throw createNotFoundProblem('agent', id);
  return agent.id;
}

function requireAllowedDatastore(
  call: McpCall,
  kind: 'datastore' | 'datasource',
  id: string,
  datastoreId: string,
): void {
  const limits = getAllowedDatastoreIds(call);
  if (limits !== undefined && !limits.includes(datastoreId)) throw createNotFoundProblem(kind, id);
}

/** Returns the newest datastores that the call can access, at most `MAX_DATASTORES` + 1. */
async function listAccessibleDatastores(call: McpCall): Promise<readonly DatastoreRow[]> {
  const { gateway, caller } = call;
  const page = { limit: MAX_DATASTORES, before: undefined };
  return listDatastores(gateway.db, caller.organizationId, page, getAllowedDatastoreIds(call));
}
