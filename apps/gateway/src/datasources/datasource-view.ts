import type { DatasourceResponse } from '@quarry/contracts';
import type { FoundDatasource } from './datasource-repository.js';
import { viewRun } from './run-view.js';

/** A datasource as the API shows it. */
export function viewDatasource({ datasource: row, run }: FoundDatasource): DatasourceResponse {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    groupId: row.groupId ?? row.id,
    updatedAt: row.updatedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    lastSynch: row.lastSynch?.toISOString() ?? null,
    config: row.config,
    datastoreId: row.datastoreId,
    customId: row.customId,
    run: run === null ? null : viewRun(run),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    failureReasons: run?.failureReasons ?? [],
  };
}
