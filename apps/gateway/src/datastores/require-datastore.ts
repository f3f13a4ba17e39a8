import type { Queries } from '../database/database.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { requireId, notFound } from '../checks/require-id.js';
import { canReachDatastore, type Caller } from '../access/caller.js';
import { findDatastore, findDatastores } from './datastore-repository.js';

/** Returns a datastore that the caller can access. @throws Problem 404 */
export async function requireDatastore(db: Queries, caller: Caller, id: string): Promise<DatastoreRow> {
  return findDatastore(db, caller.organizationId, requireDatastoreAccess(caller, id));
}

/**
 * Returns the id in lower case if the caller's key can access that datastore. Does not check that the datastore exists.
 *
 * @throws Problem 404
 */
export function requireDatastoreAccess(caller: Caller, id: string): string {
  const known = requireId('datastore', id);
  if (!canReachDatastore(caller, known)) throw notFound('datastore', id);
  return known;
}

/** Returns datastores in the order of `ids`. @throws Problem 404 with the first id that is unknown or not accessible */
export async function requireDatastores(
  db: Queries,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  const knownIds = ids.map((id) => requireId('datastore', id));
  const found = new Map((await findDatastores(db, caller.organizationId, knownIds)).map((row) => [row.id, row]));
  return knownIds.map((id) => {
    const row = found.get(id);
    if (row === undefined || !canReachDatastore(caller, row.id)) throw notFound('datastore', id);
    return row;
  });
}
