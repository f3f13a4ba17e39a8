import type { Queries } from '../database/database.js';
import { requireId, unknown } from '../checks/require-id.js';
import { mayReachDatastore, type Caller } from '../access/caller.js';
import { findDatasource, type FoundDatasource } from './datasource-repository.js';

/** A datasource of a datastore that the caller may use. @throws Problem 404 */
export async function requireDatasource(db: Queries, caller: Caller, id: string): Promise<FoundDatasource> {
  const known = requireId('datasource', id);
  const found = await findDatasource(db, caller.organizationId, known);
  if (!mayReachDatastore(caller, found.datasource.datastoreId)) throw unknown('datasource', id);
  return found;
}
