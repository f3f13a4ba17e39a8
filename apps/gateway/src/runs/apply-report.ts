import { isSettled, transition, type Refusal } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { rowUpdates } from '../database/update-rows.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { announceRuns } from '../webhooks/announce-runs.js';
import { afterRun } from './after-run.js';
import { endDocumentsOf } from './documents-under-way.js';
import { recordLateEnd } from './record-late-end.js';
import { datasourceAfter, runAfter, type RunReport } from './run-report.js';

/** A datasource and its latest run, as one report after the other leaves them. */
export interface Life {
  datasource: DatasourceRow;
  run: RunRow | undefined;
  isChanged: boolean;
}

/** Applies a report to a datasource and its run, if the state machine accepts it. It is stored by `storeChanges`. */
export async function applyReport(
  tx: Queries,
  life: Life,
  report: RunReport,
  now: Date,
): Promise<'settled' | 'under_way' | Refusal> {
  const { datasource, run } = life;
  const result = transition(datasource, report.event);
  if (!result.taken) {
    life.datasource = await recordLateEnd(tx, datasource, report, result.refusal);
    return result.refusal;
  }
  if (run === undefined) {
    throw new Error(`the run ${report.event.runId} of the datasource ${datasource.id} is not stored`);
  }
  const next = { ...datasource, ...result.next };
  const ended = isSettled(next.status);
  const end = { status: next.status, code: report.code ?? null };
  life.run = runAfter(run, next, report, now);
  life.datasource = {
    ...datasourceAfter(next, report, now),
    ...(ended ? await afterRun(tx, datasource, run, end, now) : {}),
  };
  life.isChanged = true;
  return ended ? 'settled' : 'under_way';
}

const updateRuns = rowUpdates(runs, [
  'status',
  'sequence',
  'stage',
  'progress',
  'counters',
  'lastError',
  'code',
  'message',
  'note',
  'truncatedFragments',
  'truncatedDocuments',
  'timeline',
  'startedAt',
  'endedAt',
  'heardAt',
]);

const updateDatasources = rowUpdates(datasources, [
  'status',
  'sequence',
  'failuresRunning',
  'nextSyncAt',
  'nextFullSyncAt',
  'errorCode',
  'errorMessage',
  'fragments',
  'storedTokens',
  'lastSynch',
  'listingState',
  'updatedAt',
]);

/** Stores what reports have changed, and does what the end of a run entails: every run that settles ends here. */
export async function storeChanges(tx: Queries, lives: readonly Life[], now: Date): Promise<void> {
  const changed = lives.flatMap(({ datasource, run, isChanged }) =>
    isChanged && run !== undefined ? [{ datasource, run }] : [],
  );
  if (changed.length === 0) return;
  await updateRuns(
    tx,
    changed.map(({ run }) => run),
  );
  await updateDatasources(
    tx,
    changed.map(({ datasource }) => datasource),
  );
  const ended = changed.filter(({ run }) => run.endedAt !== null);
  await endDocumentsOf(
    tx,
    ended.map(({ run }) => run),
  );
  await announceRuns(tx, ended, now);
  await settleTokens(
    tx,
    ended.map(({ datasource }) => datasource),
  );
}
