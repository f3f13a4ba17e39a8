import { and, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueueLog } from '@quarry/queue';
import { type IgnoredReason, isSettled, applyDatasourceEvent } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { redactQueryParameters } from '../database/query-error.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import { type RunRow, runs } from '../database/tables/runs.js';
import { isInPresentDatastore } from '../datastores/datastore-repository.js';
import { buildRowUpdates } from '../database/update-rows.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { writeRunDeliveries } from '../webhooks/run-deliveries.js';
import { finishDatasource } from './finish-datasource.js';
import { removeDocumentsInProgress } from './documents-in-progress.js';
import { recordLateEnd } from './record-late-end.js';
import { applyToDatasource, applyToRun, decideUpdate, type RunUpdate } from './run-update.js';

/** The result of recording an update. `unknown_datasource`: the datasource was removed. */
export type Recorded = 'settled' | 'under_way' | 'unknown_datasource' | IgnoredReason;

/**
 * Records an update of a run and its datasource, if the state machine accepts it. Repeated, late and reordered updates change
 * nothing.
 */
export async function recordEvent(db: Queries, update: RunUpdate, now: Date): Promise<Recorded> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(and(buildIdCondition(datasources.id, listDatasourceIds([update])), isInPresentDatastore()))
      .for('update');
    const [recorded = 'unknown_datasource'] = await recordLockedEvents(tx, rows, [update], now);
    return recorded;
  });
}

/**
 * Records several updates in one transaction, which never waits for row locks. An update that fails, or whose datasource is locked,
 * is then recorded in its own transaction.
 *
 * @returns the results in the order of `updates`
 */
export async function recordEvents(
  { db, log }: { readonly db: Queries; readonly log: Pick<QueueLog, 'warn'> },
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly PromiseSettledResult<Recorded>[]> {
  const together = updates.length === 1 ? [] : await recordInOneTransaction(db, updates, now).catch(logFailure);
  function logFailure(error: unknown): readonly undefined[] {
    const fields = { err: redactQueryParameters(error), events: updates.length };
    log.warn(fields, 'failed to record events in one transaction; each is recorded in its own transaction');
    return [];
  }
  const results: PromiseSettledResult<Recorded>[] = [];
  for (const [at, update] of updates.entries()) {
    const recorded = together[at];
    const [result] = await Promise.allSettled([recorded ?? recordEvent(db, update, now)]);
    results.push(result);
  }
  return results;
}

/** Records updates in one transaction. Returns undefined for each update whose datasource is missing or locked. */
async function recordInOneTransaction(
  db: Queries,
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly (Recorded | undefined)[]> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(and(buildIdCondition(datasources.id, listDatasourceIds(updates)), isInPresentDatastore()))
      .for('update', { skipLocked: true });
    return recordLockedEvents(tx, rows, updates, now);
  });
}

/**
 * Records updates of locked datasources.
 *
 * @param rows the locked datasources
 * @returns undefined for each update whose datasource is not locked
 */
async function recordLockedEvents(
  tx: Queries,
  rows: readonly DatasourceRow[],
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly (Recorded | undefined)[]> {
  const runIds = new Set(updates.map(({ event }) => event.runId));
  const latest = rows.flatMap(({ runId }) => (runId !== null && runIds.has(runId) ? [runId] : []));
  const found = latest.length === 0 ? [] : await tx.select().from(runs).where(buildIdCondition(runs.id, latest));
  const runOf = new Map(found.map((run) => [run.id, run]));
  const targets = new Map<string, UpdateTarget>(
    rows.map((datasource) => [datasource.id, { datasource, run: runOf.get(datasource.runId ?? ''), isChanged: false }]),
  );
  const recorded: (Recorded | undefined)[] = [];
  for (const update of updates) {
    const target = targets.get(update.datasourceId);
    recorded.push(target === undefined ? undefined : await applyUpdate(tx, target, update, now));
  }
  await storeChanges(tx, [...targets.values()], now);
  return recorded;
}

function listDatasourceIds(updates: readonly RunUpdate[]): readonly string[] {
  return updates.map(({ datasourceId }) => datasourceId).filter(isId);
}

/** Builds a condition on ids whose SQL text does not depend on their number, so that PostgreSQL reuses its plan. */
function buildIdCondition(column: PgColumn, ids: readonly string[]) {
  return sql`${column} = any(${sql.param(ids)}::uuid[])`;
}

/** Holds a datasource and its latest run while updates change them in memory. */
interface UpdateTarget {
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
  const result = applyDatasourceEvent(datasource, update.event);
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

/** The columns of a run that its events change. */
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
  'truncatedFragments',
  'truncatedDocuments',
  'timeline',
  'startedAt',
  'endedAt',
  'lastEventAt',
] as const satisfies readonly (keyof RunRow)[];

/** The columns of a datasource that the events of its run change. */
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

const updateRuns = buildRowUpdates(runs, RUN_COLUMNS);
const updateDatasources = buildRowUpdates(datasources, DATASOURCE_COLUMNS);

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
