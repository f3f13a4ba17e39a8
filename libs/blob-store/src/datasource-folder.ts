export interface DatasourceIds {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
}

/** Returns the key prefix of all blobs of a datasource. */
export function getDatasourceFolder({ organizationId, datastoreId, datasourceId }: DatasourceIds): string {
  return `${organizationId}/${datastoreId}/${datasourceId}/`;
}
