import { isNotNull, notInArray, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { datasources } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';

/** Selects datasources whose datastore is not being removed. PostgreSQL reads the few removed datastores once per statement. */
export function isInPresentDatastore(): SQL {
  const removed = new QueryBuilder()
    .select({ id: datastores.id })
    .from(datastores)
    .where(isNotNull(datastores.removedAt));
  return notInArray(datasources.datastoreId, removed);
}
