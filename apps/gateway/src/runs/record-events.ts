import type { IgnoredReason } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueueLog } from '@quarry/queue';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { redactQueryParameters } from '../database/query-error.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import { applyUpdate, storeChanges, type LoadedRun } from './apply-update.js';
import type { RunUpdate } from './run-update.js';

/** Adds `unknown_datasource`: the datasource was removed. */
export type Recorded = 'settled' | 'under_way' | 'unknown_datasource' | IgnoredReason;

/**
 * Applies an update to its run and datasource, if the state machine accepts it. Repeated, late and reordered updates change
 * nothing.
 */
export async function recordEvent(db: Queries, update: RunUpdate, now: Date): Promise<Recorded> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(isOneOf(datasources.id, idsOf([update])))
      .for('update');
    const [recorded = 'unknown_datasource'] = await record(tx, rows, [update], now);
    return recorded;
  });
}

/**
 * Applies several updates in one transaction. It never waits for a row lock while it holds others: an update whose datasource is
 * locked, or that cannot be written, is applied afterwards in its own transaction.
 *
 * @returns the results in the order of `updates`
 */
export async function recordEvents(
  { db, log }: { readonly db: Queries; readonly log: Pick<QueueLog, 'warn'> },
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly PromiseSettledResult<Recorded>[]> {
  const together = updates.length === 1 ? [] : await recordTogether(db, updates, now).catch(logFailure);
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

/** Returns undefined for each update whose datasource is missing or locked by another transaction. */
async function recordTogether(
  db: Queries,
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly (Recorded | undefined)[]> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(isOneOf(datasources.id, idsOf(updates)))
      .for('update', { skipLocked: true });
    return record(tx, rows, updates, now);
  });
}

/**
 * @param rows the datasources that are locked
 * @returns undefined for each update whose datasource is not among them
 */
async function record(
  tx: Queries,
  rows: readonly DatasourceRow[],
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly (Recorded | undefined)[]> {
  const runIds = new Set(updates.map(({ event }) => event.runId));
  const latest = rows.flatMap(({ runId }) => (runId !== null && runIds.has(runId) ? [runId] : []));
  const found = latest.length === 0 ? [] : await tx.select().from(runs).where(isOneOf(runs.id, latest));
  const runOf = new Map(found.map((run) => [run.id, run]));
  const loaded = new Map<string, LoadedRun>(
    rows.map((datasource) => [datasource.id, { datasource, run: runOf.get(datasource.runId ?? ''), isChanged: false }]),
  );
  const recorded: (Recorded | undefined)[] = [];
  for (const update of updates) {
    const each = loaded.get(update.datasourceId);
    recorded.push(each === undefined ? undefined : await applyUpdate(tx, each, update, now));
  }
  await storeChanges(tx, [...loaded.values()], now);
  return recorded;
}

function idsOf(updates: readonly RunUpdate[]): readonly string[] {
  return updates.map(({ datasourceId }) => datasourceId).filter(isId);
}

/** Builds a condition whose SQL text does not depend on the number of ids, so that its plan is reused. */
function isOneOf(column: PgColumn, ids: readonly string[]) {
  return sql`${column} = any(${sql.param(ids)}::uuid[])`;
}
