import {
  isSettled,
  type AttemptError,
  type Counters,
  type LifeEvent,
  type Progress,
  type Stage,
} from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow, TimelineEntry } from '../database/tables/runs.js';
import { lastErrorOf, withoutRunError } from './last-error.js';
import { grown, withFetched } from './tally.js';
import { withTruncated, withTruncationNote } from './truncation.js';

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
  /** Why an attempt of the run's own job failed that will be repeated. */
  readonly lastError?: AttemptError | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly fragments?: number | undefined;
  readonly storedTokens?: number | undefined;
  /** Of the run's one document. */
  readonly truncatedFragments?: number | undefined;
}

const MAX_TIMELINE = 100;

/** @param life that of its datasource, as the report leaves it */
export function runAfter(run: RunRow, { status, sequence }: DatasourceRow, report: RunReport, now: Date): RunRow {
  const isEnd = isSettled(status);
  const truncated = withTruncated(run, report.truncatedFragments);
  const stage = isEnd ? null : (report.stage ?? run.stage);
  return {
    ...(isEnd ? withTruncationNote(truncated) : truncated),
    status,
    sequence,
    stage,
    progress: isEnd ? null : (report.progress ?? (stage === run.stage ? run.progress : null)),
    counters: countersAfter(run, report.counters),
    lastError: isEnd ? null : lastErrorAfter(run, report),
    code: report.code ?? run.code,
    message: report.message ?? run.message,
    timeline: withStep(run, status, stage, report.at),
    startedAt: run.startedAt ?? report.startedAt ?? report.at,
    endedAt: isEnd ? report.at : null,
    heardAt: now,
  };
}

function lastErrorAfter(run: RunRow, { lastError, stage }: RunReport): RunRow['lastError'] {
  if (lastError !== undefined) return lastErrorOf(lastError, null);
  // That the next attempt has started is no progress yet.
  return stage === undefined ? run.lastError : withoutRunError(run.lastError);
}

/** Reports whether the documents of a run are counted as they are recorded. A dry run records none, and one document counts itself. */
export function countsRecorded({ documentsKnown, dryRun }: Pick<RunRow, 'documentsKnown' | 'dryRun'>): boolean {
  return documentsKnown !== null && !dryRun;
}

function countersAfter(run: RunRow, reported: Counters | undefined): RunRow['counters'] {
  if (reported === undefined) return run.counters;
  return countsRecorded(run) ? withFetched(run.counters, reported.fetched) : grown(run.counters, reported);
}

/** @param row with the life that the report leaves it */
export function datasourceAfter(row: DatasourceRow, report: RunReport, now: Date): DatasourceRow {
  const { status } = row;
  const failed = isSettled(status) && status !== 'synched';
  return {
    ...row,
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
