import type { RunRow } from '../database/tables/runs.js';

/** Adds a sentence to the note of a run. */
export function addNote(run: RunRow, note: string): RunRow {
  return { ...run, note: run.note === null ? note : `${run.note} ${note}` };
}
