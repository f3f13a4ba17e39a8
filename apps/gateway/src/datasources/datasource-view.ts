import type { DatasourceResponse, RunView } from '@quarry/contracts';
import type { RunRow } from '../database/tables/runs.js';
import type { FoundDatasource } from './datasource-repository.js';

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

function viewRun(run: RunRow): RunView {
  return {
    id: run.id,
    stage: run.stage,
    progress: run.progress,
    counters: run.counters,
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}
