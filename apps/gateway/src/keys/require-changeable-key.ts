import type { Queries } from '../database/database.js';
import type { KeyRow } from '../database/tables/api-keys.js';
import { problem } from '../problems.js';
import { refuseLimitedKey, type Caller } from '../access/caller.js';
import { findKey } from './key-repository.js';

/**
 * A key that the caller may rename or revoke.
 *
 * @throws Problem 404, 409 for the root key, 403 for an operator's key where the caller is none, or for a limited caller
 */
export async function requireChangeableKey(db: Queries, caller: Caller, id: string): Promise<KeyRow> {
  refuseLimitedKey(caller);
  const row = await findKey(db, caller.organizationId, id);
  if (row.root) {
    throw problem('root_key', `The key ${row.prefix}… is the root key: the installation's configuration sets it.`);
  }
  if (row.scopes.includes('operate') && !caller.scopes.includes('operate')) {
    throw problem('insufficient_scope', `The key ${row.prefix}… has the scope operate, and this one does not.`);
  }
  return row;
}
