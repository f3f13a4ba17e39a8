import type { SettledStatus, StatusChanged } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import type { RunEnding } from '../runs/decide-status.js';
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
  for (const [at, { datasourceId, runId, status, outcome, code }] of changes.entries()) {
    const result = results[at];
    if (result?.status !== 'fulfilled') continue;
    const reported = outcome ?? status;
    log.info({ datasourceId, runId, reported, code, recorded: result.value }, 'a run changed its status');
    if (result.value === 'settled') settled.push(datasourceId);
  }
  await removeDiscardedBlobsOf(gateway, settled, gateway.clock());
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function toRunUpdate(change: StatusChanged): RunUpdate {
  const { datasourceId, runId, sequence, status, counters, fragments, storedTokens, truncatedFragments } = change;
  const at = new Date(change.at);
  const startedAt = change.startedAt === undefined ? at : new Date(change.startedAt);
  const event =
    status === 'running'
      ? ({ type: 'started', runId, sequence } as const)
      : ({ type: 'ended', runId, sequence, ending: readEnding(change, status) } as const);
  return { datasourceId, event, counters, fragments, storedTokens, truncatedFragments, at, startedAt };
}

/** @param status decided by the worker, if its version does not report the outcome */
function readEnding({ outcome, code, message }: StatusChanged, status: SettledStatus): RunEnding {
  if (outcome === undefined) return { kind: 'decided_by_worker', status, code, message };
  if (outcome === 'read_failed') return { kind: 'aborted', code, message };
  return { kind: 'document', outcome, code, message };
}
