import {
  isSettled,
  transition,
  type Counters,
  type LifeEvent,
  type Progress,
  type ReasonCode,
  type Refusal,
  type Stage,
} from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { announceRun } from '../webhooks/announce-run.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { afterRun } from './after-run.js';
import { runs, type RunRow, type TimelineEntry } from '../database/tables/runs.js';
import { grown } from './tally.js';

/** What happened to a run: a step of its life, and what was told with it. */
export interface RunReport {
  readonly datasourceId: string;
  readonly event: Exclude<LifeEvent, { readonly type: 'enqueued' }>;
  readonly at: Date;
  /** When the run began, should nobody have told. Absent: at this event. */
  readonly startedAt?: Date | undefined;
  readonly stage?: Stage | undefined;
  readonly progress?: Progress | undefined;
  readonly counters?: Counters | undefined;
  readonly code?: ReasonCode | undefined;
  readonly message?: string | undefined;
  readonly fragments?: number | undefined;
  readonly storedTokens?: number | undefined;
}

/** `unknown_datasource`: it was removed meanwhile. */
export type Recorded = 'settled' | 'under_way' | 'unknown_datasource' | Refusal;

const MAX_TIMELINE = 100;

/** Writes an event to its run and datasource, if the state machine takes it: twice, late or out of order changes nothing. */
export async function recordEvent(db: Queries, report: RunReport, now: Date): Promise<Recorded> {
  if (!isId(report.datasourceId)) return 'unknown_datasource';
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(datasources).where(eq(datasources.id, report.datasourceId)).for('update');
    if (row === undefined) return 'unknown_datasource';
    const result = transition(row, report.event);
    if (!result.taken) return result.refusal;
    const next: DatasourceRow = { ...row, ...result.next };
    const [run] = await tx.select().from(runs).where(eq(runs.id, report.event.runId));
    if (run === undefined) throw new Error(`run ${report.event.runId} of datasource ${row.id} is not written down`);
    await tx
      .update(runs)
      .set(runAfter(run, next, report, now))
      .where(eq(runs.id, run.id));
    const ended = isSettled(next.status);
    const end = { status: next.status, code: report.code ?? null };
    const changed = { ...datasourceAfter(next, report, now), ...(ended ? await afterRun(tx, row, run, end, now) : {}) };
    if (ended) {
      await settleTokens(tx, { ...row, ...changed });
      await announceRun(tx, { ...row, ...changed }, run, now);
    }
    await tx.update(datasources).set(changed).where(eq(datasources.id, row.id));
    return ended ? 'settled' : 'under_way';
  });
}

function runAfter(run: RunRow, { status, sequence }: DatasourceRow, report: RunReport, now: Date): Partial<RunRow> {
  const isEnd = isSettled(status);
  const stage = isEnd ? null : (report.stage ?? run.stage);
  return {
    status,
    sequence,
    stage,
    progress: isEnd ? null : (report.progress ?? (stage === run.stage ? run.progress : null)),
    counters: report.counters === undefined ? run.counters : grown(run.counters, report.counters),
    code: report.code ?? run.code,
    message: report.message ?? run.message,
    timeline: withStep(run, status, stage, report.at),
    startedAt: run.startedAt ?? report.startedAt ?? report.at,
    endedAt: isEnd ? report.at : null,
    heardAt: now,
  };
}

function datasourceAfter(row: DatasourceRow, report: RunReport, now: Date): Partial<DatasourceRow> {
  const { status, sequence } = row;
  const failed = isSettled(status) && status !== 'synched';
  return {
    status,
    sequence,
    updatedAt: now,
    errorCode: failed ? (report.code ?? status) : null,
    errorMessage: failed ? (report.message ?? null) : null,
    fragments: report.fragments ?? row.fragments,
    storedTokens: report.storedTokens ?? row.storedTokens,
    lastSynch: status === 'synched' ? report.at : row.lastSynch,
  };
}

/** A stage that was told before is not told again: progress within it changes numbers alone. */
function withStep(
  { timeline }: RunRow,
  status: DatasourceRow['status'],
  stage: Stage | null,
  at: Date,
): readonly TimelineEntry[] {
  const steps = [status, ...(stage === null ? [] : [stage])];
  const told = new Set(timeline.map((entry) => entry.step));
  const added = steps.filter((step) => !told.has(step)).map((step) => ({ at: at.toISOString(), step }));
  return [...timeline, ...added].slice(0, MAX_TIMELINE);
}
