import type { StatusChanged } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';
import { recordEvent } from '../datasources/record-event.js';
import type { Gateway } from '../gateway.js';
import { removeDiscardedBlobsOf } from '../uploads/remove-discarded-blobs.js';

/** A run has started or ended. */
export async function statusChanged(
  gateway: Pick<Gateway, 'db' | 'blobs' | 'clock'>,
  payload: StatusChanged,
  { log }: Pick<JobContext, 'log'>,
): Promise<void> {
  const { datasourceId, runId, sequence, status, code, message, counters, fragments, storedTokens } = payload;
  const at = new Date(payload.at);
  const startedAt = payload.startedAt === undefined ? at : new Date(payload.startedAt);
  const event =
    status === 'running'
      ? ({ type: 'started', runId, sequence } as const)
      : ({ type: 'settled', runId, sequence, status } as const);
  const told = { code, message, counters, fragments, storedTokens, at, startedAt };
  const recorded = await recordEvent(gateway.db, { datasourceId, event, ...told }, gateway.clock());
  log.info({ datasourceId, runId, status, code, recorded }, 'a run changed its status');
  if (recorded === 'settled') await removeDiscardedBlobsOf(gateway, datasourceId);
}
