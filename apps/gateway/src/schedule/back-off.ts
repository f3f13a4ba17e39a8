import type { DatasourceStatus } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';

const FIRST_MS = 5 * 60_000;
const MOST_MS = 24 * 3_600_000;
const MOST_DOUBLINGS = 20;

/** Describes how a run ended. */
export interface RunEnd {
  readonly status: DatasourceStatus;
  readonly code: string | null;
}

/** Returns the next scheduled times after a run. Each consecutive failure doubles the wait. */
export function applyBackOff(
  row: DatasourceRow,
  { mode }: Pick<RunRow, 'mode'>,
  { status, code }: RunEnd,
  now: Date,
): Partial<DatasourceRow> {
  if (status === 'synched') return { failuresRunning: 0 };
  const failuresRunning = code === 'cancelled' ? row.failuresRunning : row.failuresRunning + 1;
  const wait = failuresRunning === 0 ? 0 : FIRST_MS * 2 ** Math.min(failuresRunning, MOST_DOUBLINGS);
  const earliest = new Date(now.getTime() + Math.min(wait, MOST_MS));
  return {
    failuresRunning,
    ...(row.nextSyncAt !== null && row.nextSyncAt < earliest ? { nextSyncAt: earliest } : {}),
    // A full sync that failed stays due.
    ...(mode === 'full' && row.nextFullSyncAt !== null ? { nextFullSyncAt: now } : {}),
  };
}
