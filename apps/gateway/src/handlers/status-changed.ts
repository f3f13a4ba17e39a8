import type { StatusChanged } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { recordEvents } from '../runs/record-events.js';
import type { RunUpdate } from '../runs/run-update.js';
import type { Gateway } from '../gateway.js';
import { removeDiscardedBlobsOf } from '../blobs/remove-discarded-blobs.js';

/**
 * Handles `statuses-changed`: runs have started or ended. @throws when a change could not be written, after all others are
 * written
 */
export async function statusesChanged(
  gateway: Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>,
  changes: readonly StatusChanged[],
  { log }: Pick<JobContext, 'log'>,
): Promise<void> {
  const results = await recordEvents({ db: gateway.db, log }, changes.map(toRunUpdate), gateway.clock());
  const settled: string[] = [];
  for (const [at, { datasourceId, runId, status, code }] of changes.entries()) {
    const result = results[at];
    if (result?.status !== 'fulfilled') continue;
    log.info({ datasourceId, runId, status, code, recorded: result.value }, 'a run changed its status');
    if (result.value === 'settled') settled.push(datasourceId);
  }
  await removeDiscardedBlobsOf(gateway, settled, gateway.clock());
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function toRunUpdate(change: StatusChanged): RunUpdate {
  const {
    datasourceId,
    runId,
    sequence,
    status,
    code,
    message,
    counters,
    fragments,
    storedTokens,
    truncatedFragments,
  } = change;
  const at = new Date(change.at);
  const startedAt = change.startedAt === undefined ? at : new Date(change.startedAt);
  const event =
    status === 'running'
      ? ({ type: 'started', runId, sequence } as const)
      : ({ type: 'settled', runId, sequence, status } as const);
  return { datasourceId, event, code, message, counters, fragments, storedTokens, truncatedFragments, at, startedAt };
}
