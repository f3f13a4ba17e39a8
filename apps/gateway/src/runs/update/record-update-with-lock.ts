import { and, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueueLog } from '@quarry/queue';
import type { Queries } from '../../database/database.js';
import { isId } from '../../database/id.js';
import { redactQueryParameters } from '../../database/query-error.js';
import { type DatasourceRow, datasources } from '../../database/tables/datasources.js';
import { runs } from '../../database/tables/runs.js';
import { buildPresentDatastoreCondition } from '../../datastores/datastore-repository.js';
import { type RecordingResult, applyRunUpdate, type UpdateTarget, type RunUpdate } from './apply-run-update.js';
import { storeUpdatedRuns } from './store-updated-runs.js';

/**
 * Records an update of a run and its datasource, if the state machine accepts it. The state machine rejects repeated,
 * late and reordered updates, which then change nothing.
 */
export async function recordUpdateWithLock(db: Queries, update: RunUpdate, now: Date): Promise<RecordingResult> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(and(buildIdCondition(datasources.id, listDatasourceIds([update])), buildPresentDatastoreCondition()))
      .for('update');
    const [recorded = 'unknown_datasource'] = await recordLockedUpdates(tx, rows, [update], now);
    return recorded;
  });
}

/**
 * Records several updates in one transaction, which never waits for row locks. If this transaction fails, or if the
 * datasource of an update is locked, the update is recorded in a transaction of its own.
 *
 * @returns the results in the order of `updates`
 */
export async function recordUpdatesWithLock(
  { db, log }: { readonly db: Queries; readonly log: Pick<QueueLog, 'warn'> },
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly PromiseSettledResult<RecordingResult>[]> {
  const together = updates.length === 1 ? [] : await recordUpdatesInOneTransaction(db, updates, now).catch(logFailure);
  function logFailure(error: unknown): readonly undefined[] {
    const fields = { err: redactQueryParameters(error), events: updates.length };
    log.warn(fields, 'failed to record events in one transaction; each is recorded in its own transaction');
    return [];
  }
  const results: PromiseSettledResult<RecordingResult>[] = [];
  for (const [at, update] of updates.entries()) {
    const recorded = together[at];
    const [result] = await Promise.allSettled([recorded ?? recordUpdateWithLock(db, update, now)]);
    results.push(result);
  }
  return results;
}

/** Records updates in one transaction. Returns undefined for each update whose datasource is missing or locked. */
async function recordUpdatesInOneTransaction(
  db: Queries,
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly (RecordingResult | undefined)[]> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(and(buildIdCondition(datasources.id, listDatasourceIds(updates)), buildPresentDatastoreCondition()))
      .for('update', { skipLocked: true });
    return recordLockedUpdates(tx, rows, updates, now);
  });
}

/**
 * Records updates of locked datasources.
 *
 * @param rows the locked datasources
 * @returns the results in the order of `updates`; undefined for an update whose datasource is not in `rows`
 */
async function recordLockedUpdates(
  tx: Queries,
  rows: readonly DatasourceRow[],
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly (RecordingResult | undefined)[]> {
  const runIds = new Set(updates.map(({ event }) => event.runId));
  const latest = rows.flatMap(({ runId }) => (runId !== null && runIds.has(runId) ? [runId] : []));
  const found = latest.length === 0 ? [] : await tx.select().from(runs).where(buildIdCondition(runs.id, latest));
  const runsById = new Map(found.map((run) => [run.id, run]));
  const targets = new Map<string, UpdateTarget>(
    rows.map((datasource) => [
      datasource.id,
      { datasource, run: runsById.get(datasource.runId ?? ''), isChanged: false },
    ]),
  );
  const recorded: (RecordingResult | undefined)[] = [];
  for (const update of updates) {
    const target = targets.get(update.datasourceId);
    recorded.push(target === undefined ? undefined : await applyRunUpdate(tx, target, update, now));
  }
  await storeUpdatedRuns(tx, [...targets.values()], now);
  return recorded;
}

function listDatasourceIds(updates: readonly RunUpdate[]): readonly string[] {
  return updates.map(({ datasourceId }) => datasourceId).filter(isId);
}

/**
 * Builds a condition on ids. Its SQL text does not depend on the number of ids, so that PostgreSQL reuses the plan of
 * the statement.
 */
function buildIdCondition(column: PgColumn, ids: readonly string[]) {
  return sql`${column} = any(${sql.param(ids)}::uuid[])`;
}
