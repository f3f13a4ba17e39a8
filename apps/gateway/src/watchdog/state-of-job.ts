import { documentJobId, ingestionQueue } from '@quarry/contracts';
import type { Queues } from '@quarry/queue-bullmq';
import type { LiveRow } from './settle-lost-runs.js';

/** `in_queue`: it waits, runs or will run again. `ended`: it has completed or failed. */
export type JobPresence = 'in_queue' | 'ended' | 'absent';

/** Where the job of a datasource's run is. */
export async function stateOfJob(queues: Queues, { runId, documentKey }: LiveRow): Promise<JobPresence> {
  if (documentKey === null) return 'in_queue';
  const state = await queues.find(ingestionQueue, documentJobId({ runId, documentKey }));
  if (state === undefined) return 'absent';
  return state === 'completed' || state === 'failed' ? 'ended' : 'in_queue';
}
