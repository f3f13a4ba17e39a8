import { isSettled, transition, type IgnoredReason } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { buildRowUpdates } from '../database/update-rows.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { writeRunDeliveries } from '../webhooks/write-run-deliveries.js';
import { finishDatasource } from './finish-datasource.js';
import { endDocumentsOfRuns } from './documents-under-way.js';
import { recordLateEnd } from './record-late-end.js';
import { applyToDatasource, applyToRun, decideUpdate, type RunUpdate } from './run-update.js';

/** Holds a datasource and its latest run while updates are applied to them in memory. */
export interface LoadedRun {
  datasource: DatasourceRow;
  run: RunRow | undefined;
  isChanged: boolean;
}

/**
 * Applies an update to a datasource and its run, if the state machine accepts it. `decideStatus` decides the status of a run that
 * ends. `storeChanges` stores the result.
 */
export async function applyUpdate(
  tx: Queries,
  loadedRun: LoadedRun,
  reported: RunUpdate,
  now: Date,
): Promise<'settled' | 'under_way' | IgnoredReason> {
  const { datasource, run } = loadedRun;
  const update = decideUpdate(reported);
  const result = transition(datasource, update.event);
  if (!result.accepted) {
    loadedRun.datasource = await recordLateEnd(tx, datasource, update, result.reason);
    return result.reason;
  }
  if (run === undefined) {
    throw new Error(`expected a row of run ${update.event.runId} of datasource ${datasource.id}, found none`);
  }
  const next = { ...datasource, ...result.next };
  const ended = isSettled(next.status);
  const end = { status: next.status, code: update.code ?? null };
  loadedRun.run = applyToRun(run, next, update, now);
  loadedRun.datasource = {
    ...applyToDatasource(next, update, now),
    ...(ended ? await finishDatasource(tx, { row: datasource, run }, end, now) : {}),
  };
  loadedRun.isChanged = true;
  return ended ? 'settled' : 'under_way';
}

const updateRuns = buildRowUpdates(runs, [
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
  'lastEventAt',
]);

const updateDatasources = buildRowUpdates(datasources, [
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

/** Stores the changes of updates. Every run that settles ends here: its documents, webhooks and tokens are settled too. */
export async function storeChanges(tx: Queries, loaded: readonly LoadedRun[], now: Date): Promise<void> {
  const changed = loaded.flatMap(({ datasource, run, isChanged }) =>
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
  await endDocumentsOfRuns(
    tx,
    ended.map(({ run }) => run),
  );
  await writeRunDeliveries(tx, ended, now);
  await settleTokens(
    tx,
    ended.map(({ datasource }) => datasource),
  );
}
