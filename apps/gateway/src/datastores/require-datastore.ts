import type { Queries } from '../database/database.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { requireId, unknown } from '../checks/require-id.js';
import { mayReachDatastore, type Caller } from '../access/caller.js';
import { findDatastore, findDatastores } from './datastore-repository.js';

/** A datastore that the caller may use. @throws Problem 404 */
export async function requireDatastore(db: Queries, caller: Caller, id: string): Promise<DatastoreRow> {
  return findDatastore(db, caller.organizationId, requireReachable(caller, id));
}

/** The id, if the caller's key reaches that datastore, should there be one. @throws Problem 404 */
export function requireReachable(caller: Caller, id: string): string {
  const known = requireId('datastore', id);
  if (!mayReachDatastore(caller, known)) throw unknown('datastore', id);
  return known;
}

/** All of them, in the order of `ids`. @throws Problem 404 naming the first that there is not */
export async function requireDatastores(
  db: Queries,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  const wanted = ids.map((id) => requireId('datastore', id));
  const found = new Map((await findDatastores(db, caller.organizationId, wanted)).map((row) => [row.id, row]));
  return wanted.map((id) => {
    const row = found.get(id);
    if (row === undefined || !mayReachDatastore(caller, row.id)) throw unknown('datastore', id);
    return row;
  });
}
