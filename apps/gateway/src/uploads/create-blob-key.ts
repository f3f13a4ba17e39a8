import { randomUUID } from 'node:crypto';

/**
 * Creates the key of a new blob. Its path shows operators to which organization, datastore and datasource the blob belongs.
 *
 * @param datastoreId undefined if the file of a form precedes this field
 * @param datasourceId the id of the datasource, if the upload creates one
 */
export function createBlobKey(organizationId: string, datastoreId: string | undefined, datasourceId: string): string {
  return `${organizationId}/${datastoreId ?? 'unassigned'}/${datasourceId}/${randomUUID()}`;
}
