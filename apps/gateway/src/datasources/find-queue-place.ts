import { rejectOnAbort } from '@quarry/cancellation';
import type { QueuePlace } from '@quarry/contracts';
import type { Gateway } from '../gateway.js';
import { loadRecentDispatchState } from '../outbox/dispatch-state.js';
import { listDispatchedQueues } from '../outbox/dispatched-queues.js';
import { buildQueuePlace, findWaitingJob, predictQueuePlace } from '../outbox/predict-queue-place.js';
import { buildSyncJobId, type SyncJobId } from '../runs/start/build-sync-job.js';
import type { FoundDatasource } from './datasource-repository.js';

type PlaceDependencies = Pick<Gateway, 'db' | 'queues'>;

/**
 * Returns the place of a pending datasource in the queue of all jobs that wait for the same workers. Returns undefined
 * if the place is unknown.
 */
export async function findQueuePlace(
  { db, queues }: PlaceDependencies,
  { datasource, run }: FoundDatasource,
): Promise<QueuePlace | undefined> {
  if (run === null || datasource.status !== 'pending') return undefined;
  // The outbox is read before the queue, so that a job that is published in the meantime is found in the queue.
  const waiting = await findWaitingJob(db, run.id);
  return waiting === undefined
    ? findPublishedJobPlace({ db, queues }, buildSyncJobId(datasource, run))
    : predictQueuePlace(db, waiting);
}

/** Maximum time for which the response to a client waits for the queue server, in milliseconds. */
const TIMEOUT_MS = 500;

/** Returns the place of a job that is already in its queue. Returns undefined if the place is unknown. */
async function findPublishedJobPlace(
  { db, queues }: PlaceDependencies,
  { queue, id }: SyncJobId,
): Promise<QueuePlace | undefined> {
  const dispatched = listDispatchedQueues(queues).find(({ name }) => name === queue);
  if (dispatched === undefined) return undefined;
  // If the queue server is unavailable or slow, the response contains the datasource without its place.
  const position = await rejectOnAbort(dispatched.countWaitingBefore(id), AbortSignal.timeout(TIMEOUT_MS)).catch(
    () => undefined,
  );
  return position === undefined ? undefined : buildQueuePlace(position, await loadRecentDispatchState(db, queue));
}
