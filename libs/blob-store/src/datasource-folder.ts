export interface DatasourceIds {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
}

/** Where everything is that is stored for a datasource, as a prefix. */
export function folderOfDatasource({ organizationId, datastoreId, datasourceId }: DatasourceIds): string {
  return `${organizationId}/${datastoreId}/${datasourceId}/`;
}
