import type { DatasourceStatus } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { RunRow } from '../database/tables/runs.js';

const FIRST_DELAY_MS = 5 * 60_000;
const MAX_DELAY_MS = 24 * 3_600_000;
const MAX_DOUBLINGS = 20;

/** The status with which a run ended, and its error code. */
export interface RunEnd {
  readonly status: DatasourceStatus;
  readonly code: string | null;
}

/** Returns the next scheduled times of a datasource after a run. Each consecutive failure doubles the delay, up to 24 hours. */
export function applyBackOff(
  row: DatasourceRow,
  { mode }: Pick<RunRow, 'mode'>,
  { status, code }: RunEnd,
  now: Date,
): Partial<DatasourceRow> {
  if (status === 'synched') return { failuresRunning: 0 };
  const failuresRunning = code === 'cancelled' ? row.failuresRunning : row.failuresRunning + 1;
  const wait = failuresRunning === 0 ? 0 : FIRST_DELAY_MS * 2 ** Math.min(failuresRunning, MAX_DOUBLINGS);
  const earliest = new Date(now.getTime() + Math.min(wait, MAX_DELAY_MS));
  return {
    failuresRunning,
    ...(row.nextSyncAt !== null && row.nextSyncAt < earliest ? { nextSyncAt: earliest } : {}),
    // A failed full sync stays due.
    ...(mode === 'full' && row.nextFullSyncAt !== null ? { nextFullSyncAt: now } : {}),
  };
}
