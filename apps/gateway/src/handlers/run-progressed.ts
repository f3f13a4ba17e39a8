import type { RunProgressed, RunRetrying } from '@quarry/contracts';
import { recordEvent } from '../runs/record-events.js';
import type { Gateway } from '../gateway.js';

/** Handles `run-progressed`: a run has reached a stage or made progress. */
export async function runProgressed(gateway: Pick<Gateway, 'db' | 'clock'>, payload: RunProgressed): Promise<void> {
  const { datasourceId, runId, sequence, stage, progress, counters } = payload;
  const event = { type: 'progressed', runId, sequence } as const;
  const details = { stage, progress, counters, at: new Date(payload.at) };
  await recordEvent(gateway.db, { datasourceId, event, ...details }, gateway.clock());
}

/** Handles `run-retrying`: the job of a run has failed and will be retried. */
export async function runRetrying(gateway: Pick<Gateway, 'db' | 'clock'>, payload: RunRetrying): Promise<void> {
  const { datasourceId, runId, sequence, at, lastError } = payload;
  const event = { type: 'progressed', runId, sequence } as const;
  await recordEvent(gateway.db, { datasourceId, event, at: new Date(at), lastError }, gateway.clock());
}
