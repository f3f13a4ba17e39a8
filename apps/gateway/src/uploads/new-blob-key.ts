import { randomUUID } from 'node:crypto';

/**
 * A new blob's key. The path tells people where it belongs; the metadata alone tells which blobs are in use.
 *
 * @param datastoreId undefined: a form whose file came before its fields does not say yet
 * @param datasourceId the id that the datasource gets if it is a new one
 */
export function newBlobKey(organizationId: string, datastoreId: string | undefined, datasourceId: string): string {
  return `${organizationId}/${datastoreId ?? 'unassigned'}/${datasourceId}/${randomUUID()}`;
}
