import type { RunResponse, RunView } from '@quarry/contracts';
import type { RunRow } from '../database/tables/runs.js';

/** Builds the summary of a run for the API response of its datasource. */
export function buildRunSummary(run: RunRow): RunView {
  return {
    id: run.id,
    stage: run.stage,
    progress: run.progress,
    counters: run.counters,
    note: run.note,
    notes: buildRunNotes(run),
    removal: run.removal,
    lastError: run.lastError,
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}

/** Returns the notes of a run. A note that an earlier version of Quarry stored has the code null. */
function buildRunNotes({ note, notes }: RunRow): RunView['notes'] {
  if (notes !== null) return notes;
  return note === null ? [] : [{ code: null, parameters: {}, message: note }];
}

/** Builds the full API response of a run. */
export function buildRunResponse(run: RunRow): RunResponse {
  const { status, code, message, failureReasons, timeline } = run;
  const more = { status, code, message, failureReasons, timeline, createdAt: run.createdAt.toISOString() };
  return Object.assign({}, buildRunSummary(run), more);
}
