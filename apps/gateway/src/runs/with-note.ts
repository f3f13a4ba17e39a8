import type { RunRow } from '../database/tables/runs.js';

/** The run with one more sentence for people. */
export function withNote(run: RunRow, note: string): RunRow {
  return { ...run, note: run.note === null ? note : `${run.note} ${note}` };
}
