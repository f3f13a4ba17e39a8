import type { Queries } from '../database/database.js';
import { requireId, unknown } from '../http/path-id.js';
import { mayReachAgent, type Caller } from '../keys/caller.js';
import { findAgent, type Agent } from './agent-repository.js';

/** An agent that the caller may use. @throws Problem 404 */
export async function requireAgent(db: Queries, caller: Caller, id: string): Promise<Agent> {
  const known = requireId('agent', id);
  if (!mayReachAgent(caller, known)) throw unknown('agent', id);
  return findAgent(db, caller.organizationId, known);
}
