import type { Queries } from '../database/database.js';
import { requireId, notFound } from '../checks/require-id.js';
import { canReachAgent, type Caller } from '../access/caller.js';
import { findAgent, listAgents, type Agent } from './agent-repository.js';

/** Returns an agent that the caller can access. @throws Problem 404 */
export async function requireAgent(db: Queries, caller: Caller, id: string): Promise<Agent> {
  const known = requireId('agent', id);
  if (!canReachAgent(caller, known)) throw notFound('agent', id);
  return findAgent(db, caller.organizationId, known);
}

/** Returns agents in the order of `ids`. @throws Problem 404 with the first id that is unknown or not accessible */
export async function requireAgents(db: Queries, caller: Caller, ids: readonly string[]): Promise<readonly Agent[]> {
  if (ids.length === 0) return [];
  const knownIds = ids.map((id) => requireId('agent', id));
  const page = { limit: knownIds.length, before: undefined };
  const found = new Map((await listAgents(db, caller.organizationId, page, knownIds)).map((row) => [row.id, row]));
  return knownIds.map((id) => {
    const row = found.get(id);
    if (row === undefined || !canReachAgent(caller, row.id)) throw notFound('agent', id);
    return row;
  });
}
