import type { Queries } from '../database/database.js';
import type { KeyRow } from '../database/tables/api-keys.js';
import { problem } from '../problems.js';
import { requireUnrestrictedKey, type Caller } from '../access/caller.js';
import { findKey } from './key-repository.js';

/**
 * Returns the API key with this id if the caller may rename or revoke the key.
 *
 * @throws Problem 404 for an unknown key; 409 for the root key; 403 if the caller's key is limited to certain agents or
 *   datastores; 403 if the key with this id has the scope `operate` and the caller's key does not
 */
export async function requireChangeableKey(db: Queries, caller: Caller, id: string): Promise<KeyRow> {
  requireUnrestrictedKey(caller);
  const row = await findKey(db, caller.organizationId, id);
  if (row.root) {
    throw problem(
      'root_key',
      `The key ${row.prefix}… is the root key. Only the configuration of the installation can change it.`,
    );
  }
  if (row.scopes.includes('operate') && !caller.scopes.includes('operate')) {
    throw problem(
      'insufficient_scope',
      `The key ${row.prefix}… has the scope operate, and the key of this request does not.`,
    );
  }
  return row;
}
