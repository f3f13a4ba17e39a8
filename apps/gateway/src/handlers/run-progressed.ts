import type { RunProgressed, RunRetrying } from '@quarry/contracts';
import { recordEvent } from '../runs/record-events.js';
import type { Gateway } from '../gateway.js';

/** Handles `run-progressed`. */
export async function runProgressed(gateway: Pick<Gateway, 'db' | 'clock'>, payload: RunProgressed): Promise<void> {
  const { datasourceId, runId, sequence, stage, progress, counters } = payload;
  const event = { type: 'progressed', runId, sequence } as const;
  const told = { stage, progress, counters, at: new Date(payload.at) };
  await recordEvent(gateway.db, { datasourceId, event, ...told }, gateway.clock());
}

/** Handles `run-retrying`: a run's own job failed and will be retried. */
export async function runRetrying(gateway: Pick<Gateway, 'db' | 'clock'>, payload: RunRetrying): Promise<void> {
  const { datasourceId, runId, sequence, at, lastError } = payload;
  const event = { type: 'progressed', runId, sequence } as const;
  await recordEvent(gateway.db, { datasourceId, event, at: new Date(at), lastError }, gateway.clock());
}
