import type { Queries } from '../database/database.js';
import { requireId, notFound } from '../checks/require-id.js';
import { canReachDatastore, type Caller } from '../access/caller.js';
import { findDatasource, type FoundDatasource } from './datasource-repository.js';

/** Returns a datasource in a datastore that the caller can access. @throws Problem 404 */
export async function requireDatasource(db: Queries, caller: Caller, id: string): Promise<FoundDatasource> {
  const known = requireId('datasource', id);
  const found = await findDatasource(db, caller.organizationId, known);
  if (!canReachDatastore(caller, found.datasource.datastoreId)) throw notFound('datasource', id);
  return found;
}
