import type { DatastoreResponse } from '@quarry/contracts';
import type { DatastoreRow } from '../database/tables/datastores.js';

/** Returns a datastore as the API shows it. */
export function viewDatastore(row: DatastoreRow): DatastoreResponse {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    embedding: row.embedding,
    splitting: row.splitting,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
