import {
  type IgnoredReason,
  isSettledStatus,
  applyDatasourceEvent,
  type AttemptError,
  type Counters,
  type DatasourceEvent,
  type Progress,
  type Stage,
} from '@quarry/contracts';
import {
  areDocumentsCountedWhenRecorded,
  buildSingleDocumentCounters,
  raiseCounters,
  raiseFetchedCount,
} from '../run-counters.js';
import type { Queries } from '../../database/database.js';
import type { DatasourceRow } from '../../database/tables/datasources.js';
import type { RunRow, TimelineEntry } from '../../database/tables/runs.js';
import { buildDocumentPages, type PageCounts } from '../document-rows.js';
import { addTruncationNote, addPageNotes, buildLastError, clearRunError, addTruncatedFragments } from '../run-notes.js';
import { computeRunEndColumns } from './finish-run.js';
import { recordLateRunEnd } from './late-events.js';
import { decideRunStatus, type RunEnding } from './decide-run-status.js';

/** Describes an event of a run. The event `ended` has no status: `decideRunStatus` derives the status from `ending`. */
type RunEvent = { readonly runId: string; readonly sequence: number } & (
  { readonly type: 'started' | 'progressed' } | { readonly type: 'ended'; readonly ending: RunEnding }
);

/** Describes one event of a run, with the values that the worker of the run reported. */
export interface RunUpdate extends ReportedValues {
  readonly event: RunEvent;
}

/** Describes an update in the form for the state machine: an event that ends the run contains the final status. */
export interface DecidedUpdate extends ReportedValues {
  readonly event: Exclude<DatasourceEvent, { readonly type: 'enqueued' }>;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

interface ReportedValues extends PageCounts {
  readonly datasourceId: string;
  readonly at: Date;
  /** The start time of the run, used if no earlier event reported its start. Absent: the time of this event. */
  readonly startedAt?: Date | undefined;
  readonly stage?: Stage | undefined;
  readonly progress?: Progress | undefined;
  readonly counters?: Counters | undefined;
  /** The error of a failed attempt of the run's own job. The job will be retried. */
  readonly lastError?: AttemptError | undefined;
  readonly fragments?: number | undefined;
  readonly storedTokens?: number | undefined;
  /** Number of truncated fragments of the only document of the run. */
  readonly truncatedFragments?: number | undefined;
}

/**
 * The result of recording an update. `settled`: the run ended. `under_way`: the run continues. All other results: the
 * update was ignored, for this reason.
 */
export type RecordingResult = 'settled' | 'under_way' | 'unknown_datasource' | IgnoredReason;

const MAX_TIMELINE = 100;

/** Holds a datasource and its latest run while updates change both in memory. */
export interface UpdateTarget {
  datasource: DatasourceRow;
  run: RunRow | undefined;
  isChanged: boolean;
}

/**
 * Applies an update to a datasource and its run in memory, if the state machine accepts the update. `decideRunStatus`
 * decides the status of a run that ends. `storeUpdatedRuns` stores the result.
 */
export async function applyRunUpdate(
  tx: Queries,
  target: UpdateTarget,
  reportedUpdate: RunUpdate,
  now: Date,
): Promise<'settled' | 'under_way' | IgnoredReason> {
  const { datasource, run } = target;
  const update = decideRunUpdate(reportedUpdate);
  const result = applyDatasourceEvent(datasource, update.event);
  if (!result.accepted) {
    target.datasource = await recordLateRunEnd(tx, datasource, update, result.reason);
    return result.reason;
  }
  if (run === undefined) {
    throw new Error(`expected a row of run ${update.event.runId} of datasource ${datasource.id}, found none`);
  }
  const next = { ...datasource, ...result.next };
  const ended = isSettledStatus(next.status);
  const end = { status: next.status, code: update.code ?? null };
  target.run = computeUpdatedRun(run, next, update, now);
  target.datasource = {
    ...computeUpdatedDatasource(next, update, now),
    ...(ended ? await computeRunEndColumns(tx, { row: datasource, run }, end, now) : {}),
  };
  target.isChanged = true;
  return ended ? 'settled' : 'under_way';
}

/** Decides the final status of a run if the update ends the run. */
export function decideRunUpdate({ event, ...values }: RunUpdate): DecidedUpdate {
  if (event.type !== 'ended') return { ...values, event };
  const { runId, sequence, ending } = event;
  const { status, code, message } = decideRunStatus(ending);
  const counters = ending.kind === 'document' ? buildSingleDocumentCounters(ending.outcome) : values.counters;
  return { ...values, event: { type: 'settled', runId, sequence, status }, code, message, counters };
}

/** Returns the run with the values of an update, and with the status and sequence of the updated datasource. */
export function computeUpdatedRun(
  run: RunRow,
  { status, sequence }: DatasourceRow,
  update: DecidedUpdate,
  now: Date,
): RunRow {
  const isEnd = isSettledStatus(status);
  const truncated = addPageNotes(addTruncatedFragments(run, update.truncatedFragments), update);
  const stage = isEnd ? null : (update.stage ?? run.stage);
  return {
    ...(isEnd ? addTruncationNote(truncated) : truncated),
    status,
    sequence,
    stage,
    progress: isEnd ? null : (update.progress ?? (stage === run.stage ? run.progress : null)),
    counters: computeReportedCounters(run, update.counters),
    lastError: isEnd ? null : computeLastError(run, update),
    code: update.code ?? run.code,
    message: update.message ?? run.message,
    timeline: addTimelineEntries(run, status, stage, update.at),
    startedAt: run.startedAt ?? update.startedAt ?? update.at,
    endedAt: isEnd ? update.at : null,
    lastEventAt: now,
  };
}

function computeLastError(run: RunRow, { lastError, stage }: DecidedUpdate): RunRow['lastError'] {
  if (lastError !== undefined) return buildLastError(lastError, null);
  // An attempt that has only started has made no progress.
  return stage === undefined ? run.lastError : clearRunError(run.lastError);
}

function computeReportedCounters(run: RunRow, reported: Counters | undefined): RunRow['counters'] {
  if (reported === undefined) return run.counters;
  return areDocumentsCountedWhenRecorded(run)
    ? raiseFetchedCount(run.counters, reported.fetched)
    : raiseCounters(run.counters, reported);
}

/** Returns the datasource with the values of an update. @param row the datasource with its new status and sequence */
export function computeUpdatedDatasource(row: DatasourceRow, update: DecidedUpdate, now: Date): DatasourceRow {
  const { status } = row;
  const failed = isSettledStatus(status) && status !== 'synched';
  return {
    ...row,
    updatedAt: now,
    errorCode: failed ? (update.code ?? status) : null,
    errorMessage: failed ? (update.message ?? null) : null,
    fragments: update.fragments ?? row.fragments,
    pages: update.fragments === undefined ? row.pages : buildDocumentPages(update),
    storedTokens: update.storedTokens ?? row.storedTokens,
    lastSynch: status === 'synched' ? update.at : row.lastSynch,
  };
}

/** Returns the timeline of a run with the new status and stage added, unless the timeline already contains them. */
function addTimelineEntries(
  { timeline }: RunRow,
  status: DatasourceRow['status'],
  stage: Stage | null,
  at: Date,
): readonly TimelineEntry[] {
  const steps = [status, ...(stage === null ? [] : [stage])];
  const known = new Set(timeline.map((entry) => entry.step));
  const added = steps.filter((step) => !known.has(step)).map((step) => ({ at: at.toISOString(), step }));
  return [...timeline, ...added].slice(0, MAX_TIMELINE);
}
