import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore } from '../datastores/datastore-repository.js';
import { findDatasource, lockDatasource } from './datasource-repository.js';

/**
 * Locks a datasource and its datastore until the transaction ends. The datastore is locked first, as in every transaction, so
 * that a concurrent removal of the datastore waits or has already ended.
 *
 * @throws Problem 404
 */
export async function lockWithDatastore(
  tx: Queries,
  organizationId: string,
  id: string,
): Promise<{ readonly row: DatasourceRow; readonly datastore: DatastoreRow }> {
  const { datasource } = await findDatasource(tx, organizationId, id);
  const datastore = await lockDatastore(tx, organizationId, datasource.datastoreId);
  return { row: await lockDatasource(tx, organizationId, id), datastore };
}
