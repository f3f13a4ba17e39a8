import { catalogQueue, crawlQueue, documentJobId, ingestionQueue } from '@quarry/contracts';
import type { JobState, Queues } from '@quarry/queue-bullmq';
import type { LiveRow } from './settle-lost-runs.js';

/** `in_queue`: it waits, runs or will run again. `ended`: it has completed or failed. */
export type JobPresence = 'in_queue' | 'ended' | 'absent';

/** Where the job of a datasource's run is. */
export async function stateOfJob(queues: Queues, { type, runId, documentKey }: LiveRow): Promise<JobPresence> {
  if (type === 'web_page' || type === 'web_site') return stateOfFinder(await queues.find(crawlQueue, runId));
  if (type === 'item_listing') return stateOfFinder(await queues.find(catalogQueue, runId));
  if (documentKey === null) return 'in_queue';
  const state = await queues.find(ingestionQueue, documentJobId({ runId, documentKey }));
  if (state === undefined) return 'absent';
  return state === 'completed' || state === 'failed' ? 'ended' : 'in_queue';
}

/** What has found all documents has left them to ingestion, where they may still wait. */
function stateOfFinder(state: JobState | undefined): JobPresence {
  if (state === undefined) return 'absent';
  return state === 'failed' ? 'ended' : 'in_queue';
}
