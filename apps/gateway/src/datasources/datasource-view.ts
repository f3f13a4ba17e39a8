import type { DatasourceContent, DatasourceResponse } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { getSchedules, NEVER } from '../schedule/schedule.js';
import type { FoundDatasource } from './datasource-repository.js';
import { buildRunSummary } from '../runs/run-view.js';

/** Builds the API response of a stored datasource with its latest run. */
export function buildDatasourceResponse(found: FoundDatasource): DatasourceResponse {
  const { datasource: row, run } = found;
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    groupId: row.groupId ?? row.id,
    updatedAt: row.updatedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    lastSynch: row.lastSynch?.toISOString() ?? null,
    config: buildConfig(row),
    datastoreId: row.datastoreId,
    customId: row.customId,
    schedule: getSchedule(row),
    nextSyncAt: row.nextSyncAt?.toISOString() ?? null,
    consecutiveFailures: row.failuresRunning,
    content: buildDatasourceContent(found),
    run: run === null ? null : buildRunSummary(run),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    failureReasons: run?.failureReasons ?? [],
  };
}

/**
 * Returns the configuration of a datasource. The configuration of a text contains the metadata of the text, and not the
 * name that the client gave to the text.
 */
function buildConfig({ type, config, metadata }: DatasourceRow): DatasourceResponse['config'] {
  if (type !== 'document') return config;
  const shown = Object.entries(config).filter(([field]) => field !== 'givenName');
  return { ...Object.fromEntries(shown), ...(metadata !== null && { metadata }) };
}

/**
 * Returns the numbers of stored documents, fragments and tokens of a datasource. During a run, they include the
 * documents that the run has indexed so far.
 */
function buildDatasourceContent({ datasource: row, totals }: FoundDatasource): DatasourceContent {
  if (row.documentKey === null) {
    return {
      documents: totals?.storedDocuments ?? 0,
      fragments: totals?.fragments ?? 0,
      storedTokens: totals?.storedTokens ?? 0,
    };
  }
  const { fragments, storedTokens, lastSynch } = row;
  const isStored = lastSynch !== null || (fragments ?? 0) > 0;
  return { documents: isStored ? 1 : 0, fragments: fragments ?? 0, storedTokens: storedTokens ?? 0 };
}

/** Returns the schedule of the regular syncs of a datasource, or null for the schedule `never`. */
function getSchedule(row: DatasourceRow): string | null {
  const { schedule } = getSchedules(row);
  return schedule === NEVER ? null : schedule;
}
