import type { DatasourceResponse } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { getSchedules } from '../schedule/next-sync.js';
import { NEVER } from '../schedule/schedule.js';
import type { FoundDatasource } from './datasource-repository.js';
import { viewRun } from '../runs/run-view.js';

/** Converts a stored datasource and its latest run to the form in which the API returns them. */
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
    schedule: getSchedule(row),
    nextSyncAt: row.nextSyncAt?.toISOString() ?? null,
    consecutiveFailures: row.failuresRunning,
    run: run === null ? null : viewRun(run),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    failureReasons: run?.failureReasons ?? [],
  };
}

function getSchedule(row: DatasourceRow): string | null {
  const { schedule } = getSchedules(row);
  return schedule === NEVER ? null : schedule;
}
