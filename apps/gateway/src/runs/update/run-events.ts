import type {
  DocumentRetrying,
  DocumentSettled,
  RunEnumerated,
  RunProgressed,
  RunRetrying,
  SettledStatus,
  StatusChanged,
} from '@quarry/contracts';
import type { QueueLog, JobContext } from '@quarry/queue';
import type { Queries } from '../../database/database.js';
import type { Gateway } from '../../gateway.js';
import { removeDiscardedBlobsOfDatasources } from '../../blobs/discarded-blobs.js';
import { recordUpdateWithoutLock, type RecordedUpdate } from './record-update-without-lock.js';
import { recordUpdatesWithLock, recordUpdateWithLock } from './record-update-with-lock.js';
import type { RecordingResult, RunUpdate } from './apply-run-update.js';
import type { RunEnding } from './decide-run-status.js';
import { type OutcomeRecorder, recordRunEnumeration, recordDocumentRetry } from './record-outcomes.js';
import { readDryRunKeys } from './mass-removal.js';

/**
 * Handles the event `statuses-changed`: runs have started or ended. Also removes the discarded blobs of datasources
 * whose runs have ended.
 *
 * @throws if a change could not be written, after all other changes were written
 */
export async function handleStatusesChanged(
  gateway: Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock' | 'deliveriesDue'>,
  changes: readonly StatusChanged[],
  { log }: Pick<JobContext, 'log'>,
): Promise<void> {
  const results = await recordRunUpdates({ db: gateway.db, log }, changes.map(buildRunUpdate), gateway.clock());
  const withDiscardedBlobs: string[] = [];
  for (const [at, { datasourceId, runId, status, outcome, code }] of changes.entries()) {
    const result = results[at];
    if (result?.status !== 'fulfilled') continue;
    const reported = outcome ?? status;
    const { recorded, mayHaveDeliveries, mayHaveDiscardedBlobs } = result.value;
    log.info({ datasourceId, runId, reported, code, recorded }, 'received a status change of a run');
    if (mayHaveDeliveries) gateway.deliveriesDue.wake();
    if (mayHaveDiscardedBlobs) withDiscardedBlobs.push(datasourceId);
  }
  await removeDiscardedBlobsOfDatasources(gateway, withDiscardedBlobs, gateway.clock());
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Records updates of runs. A single update of a file or text waits for no lock: one statement reads the rows of the
 * datasource and the run, and a second statement writes them if neither has changed. All other updates are recorded
 * with locks: see `recordUpdatesWithLock`.
 *
 * @returns the results in the order of `updates`
 */
export async function recordRunUpdates(
  context: { readonly db: Queries; readonly log: Pick<QueueLog, 'warn'> },
  updates: readonly RunUpdate[],
  now: Date,
): Promise<readonly PromiseSettledResult<RecordedUpdate>[]> {
  const [only] = updates.length === 1 ? updates : [];
  if (only !== undefined) {
    const [result] = await Promise.allSettled([recordUpdateWithoutLock(context.db, only, now)]);
    if (result.status === 'rejected') return [result];
    if (result.value !== undefined) return [{ status: 'fulfilled', value: result.value }];
  }
  const results = await recordUpdatesWithLock(context, updates, now);
  return results.map((result) =>
    result.status === 'rejected' ? result : { status: 'fulfilled', value: buildRecordedUpdate(result.value) },
  );
}

/**
 * Converts the result of an update that was recorded with locks. This result does not state whether there are webhook
 * deliveries or discarded blobs, so both are assumed after the end of a run.
 */
function buildRecordedUpdate(recorded: RecordingResult): RecordedUpdate {
  const isEnd = recorded === 'settled';
  return { recorded, mayHaveDeliveries: isEnd, mayHaveDiscardedBlobs: isEnd };
}

function buildRunUpdate(change: StatusChanged): RunUpdate {
  const { datasourceId, runId, sequence, status, counters, fragments, storedTokens, truncatedFragments } = change;
  const { undecodedPages, imagePages, recognizedPages, recognitionConfidence, pageConfidences, pages } = change;
  const at = new Date(change.at);
  const startedAt = change.startedAt === undefined ? at : new Date(change.startedAt);
  const event =
    status === 'running'
      ? ({ type: 'started', runId, sequence } as const)
      : ({ type: 'ended', runId, sequence, ending: determineRunEnding(change, status) } as const);
  const sizes = { fragments, storedTokens, truncatedFragments };
  const pageCounts = { undecodedPages, imagePages, recognizedPages, recognitionConfidence, pageConfidences, pages };
  return { datasourceId, event, counters, ...sizes, ...pageCounts, at, startedAt };
}

/**
 * Determines how a run ended.
 *
 * @param status the reported status. It is used if the event has no outcome, because the worker still has an older
 *   version than the gateway.
 */
function determineRunEnding({ outcome, code, message }: StatusChanged, status: SettledStatus): RunEnding {
  if (outcome === undefined) return { kind: 'decided_by_worker', status, code, message };
  if (outcome === 'read_failed') return { kind: 'aborted', code, message };
  return { kind: 'document', outcome, code, message };
}

/** Handles the event `run-progressed`: a run has reached a stage or made progress. */
export async function handleRunProgressed(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  payload: RunProgressed,
): Promise<void> {
  const { datasourceId, runId, sequence, stage, progress, counters } = payload;
  const event = { type: 'progressed', runId, sequence } as const;
  const details = { stage, progress, counters, at: new Date(payload.at) };
  await recordUpdateWithLock(gateway.db, { datasourceId, event, ...details }, gateway.clock());
}

/** Handles the event `run-retrying`: the job of a run has failed and will be retried. */
export async function handleRunRetrying(gateway: Pick<Gateway, 'db' | 'clock'>, payload: RunRetrying): Promise<void> {
  const { datasourceId, runId, sequence, at, lastError } = payload;
  const event = { type: 'progressed', runId, sequence } as const;
  await recordUpdateWithLock(gateway.db, { datasourceId, event, at: new Date(at), lastError }, gateway.clock());
}

type EventDependencies = Pick<Gateway, 'db' | 'clock' | 'outboxWritten' | 'deliveriesDue'>;

/** Handles the event `document-settled`: a document of a run with several documents has settled. */
export async function handleDocumentSettled(
  gateway: Pick<EventDependencies, 'outboxWritten' | 'deliveriesDue'> & { readonly outcomes: OutcomeRecorder },
  payload: DocumentSettled,
): Promise<void> {
  const recorded = await gateway.outcomes.record(payload);
  if (recorded === 'settled') wakeDispatcherAndDeliverer(gateway);
}

/** Handles the event `document-retrying`: the job of a document has failed and will be retried. */
export async function handleDocumentRetrying(gateway: EventDependencies, payload: DocumentRetrying): Promise<void> {
  await recordDocumentRetry(gateway.db, payload, gateway.clock());
}

/** Handles the event `run-enumerated`: a run has found all its documents. Ends the run if all of them have settled. */
export async function handleRunEnumerated(
  gateway: EventDependencies & Pick<Gateway, 'blobs'>,
  payload: RunEnumerated,
): Promise<void> {
  const { wouldKeep } = payload;
  const dryRunKeys = wouldKeep && (await readDryRunKeys(gateway.blobs, wouldKeep));
  const recorded = await recordRunEnumeration(gateway.db, payload, gateway.clock(), dryRunKeys);
  if (recorded === 'settled') wakeDispatcherAndDeliverer(gateway);
  if (wouldKeep !== undefined) await gateway.blobs.remove(wouldKeep.blobKey);
}

/** Wakes the dispatcher and the deliverer after the end of a run. */
function wakeDispatcherAndDeliverer({
  outboxWritten,
  deliveriesDue,
}: Pick<Gateway, 'outboxWritten' | 'deliveriesDue'>): void {
  outboxWritten.wake();
  deliveriesDue.wake();
}
