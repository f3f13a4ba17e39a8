import type { CreateApiKeyRequest, Scope } from '@quarry/contracts';
import { requireAgents } from '../agents/agent-repository.js';
import type { Queries } from '../database/database.js';
import type { KeyRow } from '../database/tables/api-keys.js';
import { requireDatastores } from '../datastores/datastore-repository.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { parseTime } from '../checks/parse-time.js';
import { problem } from '../problems.js';
import type { Caller } from '../access/caller.js';
import { findKey, generateApiKey, insertKey } from './key-repository.js';

/**
 * Creates an API key whose permissions do not exceed the permissions of the caller.
 *
 * @returns the row and the text of the key; the text is not stored
 * @throws Problem 403 for a scope that the caller does not have, 404 for an unknown agent or datastore, 400 for an
 *   expiry time in the past
 */
export async function createKey(
  db: Queries,
  caller: Caller,
  request: CreateApiKeyRequest,
  now: Date,
): Promise<{ readonly row: KeyRow; readonly key: string }> {
  requireOwnScopes(caller, request.scopes);
  const { name, scopes, agentIds, datastoreIds } = request;
  const compatibility = request.compatibility ?? undefined;
  const expiresAt = parseKeyExpiry(request.expiresAt, now);
  const agents = await requireAgents(db, caller, agentIds ?? []);
  const datastores = await requireDatastores(db, caller, datastoreIds ?? []);
  const key = generateApiKey();
  const id = await insertKey(db, caller.organizationId, key, {
    name,
    scopes,
    ...(agents.length === 0 ? {} : { agentIds: agents.map((agent) => agent.id) }),
    ...(datastores.length === 0 ? {} : { datastoreIds: datastores.map((datastore) => datastore.id) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(compatibility === undefined ? {} : { compatibility }),
  });
  return { row: await findKey(db, caller.organizationId, id), key };
}

/** Refuses scopes that the caller does not have. @throws Problem 403 */
function requireOwnScopes(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  throw problem(
    'insufficient_scope',
    `A key can create keys only with its own scopes, which are ${caller.scopes.join(', ')}; found ${missing.join(', ')}.`,
  );
}

/** Parses the expiry time of a new key. @throws Problem 400 for a time in the past */
function parseKeyExpiry(text: string | null | undefined, now: Date): Date | undefined {
  const expiresAt = parseTime('expiresAt', text);
  if (expiresAt === undefined || expiresAt > now) return expiresAt;
  throw createFieldProblem('expiresAt', `must be later than ${now.toISOString()}, found ${expiresAt.toISOString()}`);
}
