import {
  catalogQueue,
  crawlQueue,
  buildIndexJobId,
  ingestionQueue,
  formatSyncJobId,
  normalizeUrl,
} from '@quarry/contracts';
import type { JobState, Queues } from '@quarry/queue';
import { sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox } from '../database/tables/outbox.js';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import type { WatchedJob } from './watched-jobs.js';

/** A job on which a run depends, but which neither waits in the outbox or a queue nor is running. */
export interface MissingJob {
  readonly job: WatchedJob;
  /**
   * `absent`: the queue does not have the job. `ended`: the job completed or failed, but the gateway did not receive
   * its final event.
   */
  readonly presence: 'absent' | 'ended';
}

const MAX_PARALLEL_LOOKUPS = 25;

/** Returns those of the given jobs that are neither in the outbox nor waiting or running in their queue. */
export async function findMissingJobs(
  { db, queues }: { readonly db: Queries; readonly queues: Pick<Queues, 'findJobState'> },
  jobs: readonly WatchedJob[],
): Promise<readonly MissingJob[]> {
  if (jobs.length === 0) return [];
  // The outbox is read before the queues, so that a job that moves to its queue in the meantime is found there.
  const unpublished = await findUnpublishedJobs(db, jobs);
  const missing: MissingJob[] = [];
  const published = jobs.filter((job) => !unpublished.has(buildJobKey(job.run.id, job.document?.documentKey)));
  await forEachConcurrently(MAX_PARALLEL_LOOKUPS, published, async (job) => {
    const presence = await findJobPresence(queues, job);
    if (presence !== 'in_queue') missing.push({ job, presence });
  });
  return missing;
}

/**
 * Finds those of the given jobs that are still in the outbox.
 *
 * @returns the keys of these jobs, in the form of `buildJobKey`
 */
async function findUnpublishedJobs(db: Queries, jobs: readonly WatchedJob[]): Promise<ReadonlySet<string>> {
  const isDocumentJob = (job: WatchedJob): boolean => job.document !== undefined;
  const runIds = [...new Set(jobs.filter((job) => !isDocumentJob(job)).map(({ run }) => run.id))];
  const children = jobs.filter(isDocumentJob);
  const [childRunIds, keys] = [
    children.map(({ run }) => run.id),
    children.map((job) => job.document?.documentKey ?? ''),
  ];
  const isOfRun = sql`outbox.refusal is null and outbox.payload ->> 'runId' = wanted.run_id`;
  const isChildJob = sql`coalesce((outbox.payload -> 'partOfRun')::boolean, false)`;
  // The conditions use the expressions of an index, so that PostgreSQL quickly finds the job of a run or of one of its
  // documents.
  const { rows } = await db.execute<{ readonly run_id: string; readonly key: string | null }>(sql`
    select run_id, null as key from unnest(${sql.param(runIds)}::text[]) as wanted (run_id)
    where exists (select 1 from ${outbox} where ${isOfRun} and not ${isChildJob})
    union all
    select run_id, key from unnest(${sql.param(childRunIds)}::text[], ${sql.param(keys)}::text[]) as wanted (run_id, key)
    where exists (
      select 1 from ${outbox}
      where ${isOfRun} and md5(outbox.payload ->> 'documentKey') = md5(wanted.key) and ${isChildJob}
    )`);
  return new Set(rows.map((row) => buildJobKey(row.run_id, row.key ?? undefined)));
}

function buildJobKey(runId: string, documentKey: string | undefined): string {
  return JSON.stringify([runId, documentKey ?? null]);
}

type Presence = MissingJob['presence'] | 'in_queue';

async function findJobPresence(
  queues: Pick<Queues, 'findJobState'>,
  { row, run, document }: WatchedJob,
): Promise<Presence> {
  const runId = run.id;
  if (document !== undefined) {
    const { documentKey, repeats: repeat } = document;
    return classifyJobState(await queues.findJobState(ingestionQueue, buildIndexJobId({ runId, documentKey, repeat })));
  }
  const id = formatSyncJobId({ runId, repeat: run.repeats });
  switch (row.type) {
    case 'file':
    case 'document': {
      const documentKey = row.documentKey ?? '';
      return classifyJobState(
        await queues.findJobState(ingestionQueue, buildIndexJobId({ runId, documentKey, repeat: run.repeats })),
      );
    }
    case 'web_page': {
      const presence = classifyJobState(await queues.findJobState(crawlQueue, id));
      if (presence === 'in_queue' || row.documentKey === null) return presence;
      // The crawl job has ended, and the queue may have deleted it. If it has fetched the page, an ingestion job may
      // still wait. The id of the ingestion job is derived from the normalized URL.
      const documentKey = normalizeUrl(row.documentKey);
      const indexing = await queues.findJobState(
        ingestionQueue,
        buildIndexJobId({ runId, documentKey, repeat: run.repeats }),
      );
      return classifyJobState(indexing) === 'in_queue' ? 'in_queue' : presence;
    }
    case 'web_site':
      return classifyDiscoveryJob(await queues.findJobState(crawlQueue, id), run.documentsExpected !== null);
    case 'item_listing':
      return classifyDiscoveryJob(await queues.findJobState(catalogQueue, id), run.documentsExpected !== null);
  }
}

function classifyJobState(state: JobState | undefined): Presence {
  if (state === undefined) return 'absent';
  return state === 'completed' || state === 'failed' ? 'ended' : 'in_queue';
}

/**
 * Classifies the job of a crawl or listing sync. A job that has reported all documents counts as `in_queue` even if it
 * is completed, because its documents may still wait in the ingestion queue.
 */
function classifyDiscoveryJob(state: JobState | undefined, isEnumerated: boolean): Presence {
  if (!isEnumerated) return classifyJobState(state);
  return state === undefined || state === 'failed' ? 'ended' : 'in_queue';
}
