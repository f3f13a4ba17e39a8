import { isSettled, transition, type IgnoredReason } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { buildRowUpdates } from '../database/update-rows.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { writeRunDeliveries } from '../webhooks/write-run-deliveries.js';
import { finishDatasource } from './finish-datasource.js';
import { removeDocumentsInProgress } from './documents-under-way.js';
import { recordLateEnd } from './record-late-end.js';
import { applyToDatasource, applyToRun, decideUpdate, type RunUpdate } from './run-update.js';

/** Holds a datasource and its latest run while updates change them in memory. */
export interface UpdateTarget {
  datasource: DatasourceRow;
  run: RunRow | undefined;
  isChanged: boolean;
}

/**
 * Applies an update to a datasource and its run in memory, if the state machine accepts it. `decideStatus` decides the status of a
 * run that ends. `storeChanges` stores the result.
 */
export async function applyUpdate(
  tx: Queries,
  target: UpdateTarget,
  reported: RunUpdate,
  now: Date,
): Promise<'settled' | 'under_way' | IgnoredReason> {
  const { datasource, run } = target;
  const update = decideUpdate(reported);
  const result = transition(datasource, update.event);
  if (!result.accepted) {
    target.datasource = await recordLateEnd(tx, datasource, update, result.reason);
    return result.reason;
  }
  if (run === undefined) {
    throw new Error(`expected a row of run ${update.event.runId} of datasource ${datasource.id}, found none`);
  }
  const next = { ...datasource, ...result.next };
  const ended = isSettled(next.status);
  const end = { status: next.status, code: update.code ?? null };
  target.run = applyToRun(run, next, update, now);
  target.datasource = {
    ...applyToDatasource(next, update, now),
    ...(ended ? await finishDatasource(tx, { row: datasource, run }, end, now) : {}),
  };
  target.isChanged = true;
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

/**
 * Stores updated datasources and runs. For each run that ended, also settles its documents and tokens, and writes its webhook
 * events.
 */
export async function storeChanges(tx: Queries, targets: readonly UpdateTarget[], now: Date): Promise<void> {
  const changed = targets.flatMap(({ datasource, run, isChanged }) =>
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
  await removeDocumentsInProgress(
    tx,
    ended.map(({ run }) => run),
  );
  await writeRunDeliveries(tx, ended, now);
  await settleTokens(
    tx,
    ended.map(({ datasource }) => datasource),
  );
}
