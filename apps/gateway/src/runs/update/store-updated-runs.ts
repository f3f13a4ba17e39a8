import type { Queries } from '../../database/database.js';
import { type DatasourceRow, datasources } from '../../database/tables/datasources.js';
import { type RunRow, runs } from '../../database/tables/runs.js';
import { createRowUpdater } from '../../database/update-rows.js';
import { settleTokensOfDatasources } from '../../usage/settle-tokens.js';
import { removeDocumentsInProgress } from '../run-in-progress.js';
import type { UpdateTarget } from './apply-run-update.js';
import { writeRunDeliveries } from './finish-run.js';

/** The names of the columns of `runs` that events of a run change. */
export const RUN_COLUMNS = [
  'status',
  'sequence',
  'stage',
  'progress',
  'counters',
  'lastError',
  'code',
  'message',
  'note',
  'notes',
  'truncatedFragments',
  'truncatedDocuments',
  'timeline',
  'startedAt',
  'endedAt',
  'lastEventAt',
] as const satisfies readonly (keyof RunRow)[];

/** The names of the columns of `datasources` that events of a run change. */
export const DATASOURCE_COLUMNS = [
  'status',
  'sequence',
  'failuresRunning',
  'nextSyncAt',
  'nextFullSyncAt',
  'errorCode',
  'errorMessage',
  'fragments',
  'storedTokens',
  'pages',
  'lastSynch',
  'listingState',
  'updatedAt',
] as const satisfies readonly (keyof DatasourceRow)[];

const updateRuns = createRowUpdater(runs, RUN_COLUMNS);

const updateDatasources = createRowUpdater(datasources, DATASOURCE_COLUMNS);

/**
 * Stores updated datasources and runs. For each run that has ended, also removes its documents in progress, replaces
 * the token reservations of its datasource by the stored tokens, and writes its webhook events.
 */
export async function storeUpdatedRuns(tx: Queries, targets: readonly UpdateTarget[], now: Date): Promise<void> {
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
  await settleTokensOfDatasources(
    tx,
    ended.map(({ datasource }) => datasource),
  );
}
