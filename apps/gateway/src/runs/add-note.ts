import type { RunRow } from '../database/tables/runs.js';

/** Returns a run with a sentence added to its note. */
export function addNote(run: RunRow, note: string): RunRow {
  return { ...run, note: run.note === null ? note : `${run.note} ${note}` };
}
