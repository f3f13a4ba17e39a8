import type { Queries } from '../database/database.js';
import { requireId, unknown } from '../checks/require-id.js';
import { mayReachAgent, type Caller } from '../access/caller.js';
import { findAgent, listAgents, type Agent } from './agent-repository.js';

/** An agent that the caller may use. @throws Problem 404 */
export async function requireAgent(db: Queries, caller: Caller, id: string): Promise<Agent> {
  const known = requireId('agent', id);
  if (!mayReachAgent(caller, known)) throw unknown('agent', id);
  return findAgent(db, caller.organizationId, known);
}

/** All of them, in the order of `ids`. @throws Problem 404 naming the first that there is not */
export async function requireAgents(db: Queries, caller: Caller, ids: readonly string[]): Promise<readonly Agent[]> {
  if (ids.length === 0) return [];
  const wanted = ids.map((id) => requireId('agent', id));
  const page = { limit: wanted.length, before: undefined };
  const found = new Map((await listAgents(db, caller.organizationId, page, wanted)).map((row) => [row.id, row]));
  return wanted.map((id) => {
    const row = found.get(id);
    if (row === undefined || !mayReachAgent(caller, row.id)) throw unknown('agent', id);
    return row;
  });
}
