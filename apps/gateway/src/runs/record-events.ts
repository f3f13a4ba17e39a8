import type { Refusal } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueueLog } from '@quarry/queue';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { withoutParameters } from '../database/query-error.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import { applyReport, storeChanges, type Life } from './apply-report.js';
import type { RunReport } from './run-report.js';

/** `unknown_datasource`: it was removed meanwhile. */
export type Recorded = 'settled' | 'under_way' | 'unknown_datasource' | Refusal;

/** Writes an event to its run and datasource, if the state machine takes it: twice, late or out of order changes nothing. */
export async function recordEvent(db: Queries, report: RunReport, now: Date): Promise<Recorded> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(isOneOf(datasources.id, idsOf([report])))
      .for('update');
    const [recorded = 'unknown_datasource'] = await record(tx, rows, [report], now);
    return recorded;
  });
}

/**
 * The same for several events, in one transaction where that can be. It waits for no datasource while it holds others: whose row
 * another transaction has, or whose event cannot be written, is dealt with by itself afterwards.
 *
 * @returns in the order of `reports`
 */
export async function recordEvents(
  { db, log }: { readonly db: Queries; readonly log: Pick<QueueLog, 'warn'> },
  reports: readonly RunReport[],
  now: Date,
): Promise<readonly PromiseSettledResult<Recorded>[]> {
  const together = reports.length === 1 ? [] : await recordTogether(db, reports, now).catch(logFailure);
  function logFailure(error: unknown): readonly undefined[] {
    const fields = { err: withoutParameters(error), events: reports.length };
    log.warn(fields, 'events cannot be recorded in one transaction: each is recorded by itself');
    return [];
  }
  const results: PromiseSettledResult<Recorded>[] = [];
  for (const [at, report] of reports.entries()) {
    const recorded = together[at];
    const [result] = await Promise.allSettled([recorded ?? recordEvent(db, report, now)]);
    results.push(result);
  }
  return results;
}

/** @returns undefined for those whose datasource is not there, or is locked by another transaction */
async function recordTogether(
  db: Queries,
  reports: readonly RunReport[],
  now: Date,
): Promise<readonly (Recorded | undefined)[]> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datasources)
      .where(isOneOf(datasources.id, idsOf(reports)))
      .for('update', { skipLocked: true });
    return record(tx, rows, reports, now);
  });
}

/**
 * @param rows the datasources that are locked
 * @returns undefined where a report's datasource is not among them
 */
async function record(
  tx: Queries,
  rows: readonly DatasourceRow[],
  reports: readonly RunReport[],
  now: Date,
): Promise<readonly (Recorded | undefined)[]> {
  const told = new Set(reports.map(({ event }) => event.runId));
  const latest = rows.flatMap(({ runId }) => (runId !== null && told.has(runId) ? [runId] : []));
  const found = latest.length === 0 ? [] : await tx.select().from(runs).where(isOneOf(runs.id, latest));
  const runOf = new Map(found.map((run) => [run.id, run]));
  const lives = new Map<string, Life>(
    rows.map((datasource) => [datasource.id, { datasource, run: runOf.get(datasource.runId ?? ''), isChanged: false }]),
  );
  const recorded: (Recorded | undefined)[] = [];
  for (const report of reports) {
    const life = lives.get(report.datasourceId);
    recorded.push(life === undefined ? undefined : await applyReport(tx, life, report, now));
  }
  await storeChanges(tx, [...lives.values()], now);
  return recorded;
}

function idsOf(reports: readonly RunReport[]): readonly string[] {
  return reports.map(({ datasourceId }) => datasourceId).filter(isId);
}

/** Of any number of ids the statement is the same. */
function isOneOf(column: PgColumn, ids: readonly string[]) {
  return sql`${column} = any(${sql.param(ids)}::uuid[])`;
}
