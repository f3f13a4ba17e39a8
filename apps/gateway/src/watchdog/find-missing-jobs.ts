import { catalogQueue, crawlQueue, indexJobId, ingestionQueue, syncJobId } from '@quarry/contracts';
import type { JobState, Queues } from '@quarry/queue';
import { and, isNull, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox } from '../database/tables/outbox.js';
import { inParallel } from '../uploads/in-parallel.js';
import type { WatchedJob } from './watched-jobs.js';

/** A job that is not in its queue. */
export interface MissingJob {
  readonly job: WatchedJob;
  /** `absent`: the queue does not have it. `ended`: it has completed or failed, and nothing was received of its end. */
  readonly how: 'absent' | 'ended';
}

const FINDS_AT_ONCE = 25;

/** Returns those jobs that neither wait in the outbox, nor wait or run in their queue. */
export async function findMissingJobs(
  { db, queues }: { readonly db: Queries; readonly queues: Pick<Queues, 'find'> },
  jobs: readonly WatchedJob[],
): Promise<readonly MissingJob[]> {
  if (jobs.length === 0) return [];
  // In this order: what leaves the outbox in between is in its queue.
  const unpublished = await findUnpublished(db, jobs);
  const missing: MissingJob[] = [];
  const published = jobs.filter((job) => !unpublished.has(nameOf(job.run.id, job.document?.documentKey)));
  await inParallel(FINDS_AT_ONCE, published, async (job) => {
    const how = await presenceOf(queues, job);
    if (how !== 'in_queue') missing.push({ job, how });
  });
  return missing;
}

/** Returns the names of those jobs that wait in the outbox. */
async function findUnpublished(db: Queries, jobs: readonly WatchedJob[]): Promise<ReadonlySet<string>> {
  const runIds = [...new Set(jobs.map(({ run }) => run.id))];
  const runId = sql<string>`${outbox.payload} ->> 'runId'`;
  const key = sql<
    string | null
  >`case when (${outbox.payload} -> 'partOfRun')::boolean then ${outbox.payload} ->> 'documentKey' end`;
  const rows = await db
    .select({ runId, key })
    .from(outbox)
    .where(and(isNull(outbox.refusal), sql`${runId} = any(${sql.param(runIds)}::text[])`));
  return new Set(rows.map((row) => nameOf(row.runId, row.key ?? undefined)));
}

function nameOf(runId: string, documentKey: string | undefined): string {
  return JSON.stringify([runId, documentKey ?? null]);
}

type Presence = MissingJob['how'] | 'in_queue';

async function presenceOf(queues: Pick<Queues, 'find'>, { row, run, document }: WatchedJob): Promise<Presence> {
  const runId = run.id;
  if (document !== undefined) {
    const { documentKey, repeats: repeat } = document;
    return presenceIn(await queues.find(ingestionQueue, indexJobId({ runId, documentKey, repeat })));
  }
  const id = syncJobId({ runId, repeat: run.repeats });
  switch (row.type) {
    case 'file':
    case 'document': {
      const documentKey = row.documentKey ?? '';
      return presenceIn(await queues.find(ingestionQueue, indexJobId({ runId, documentKey, repeat: run.repeats })));
    }
    case 'web_page': {
      const presence = presenceIn(await queues.find(crawlQueue, id));
      if (presence !== 'ended' || row.documentKey === null) return presence;
      // What the crawler has fetched is indexed by another job.
      const { documentKey } = row;
      const indexing = await queues.find(ingestionQueue, indexJobId({ runId, documentKey, repeat: run.repeats }));
      return presenceIn(indexing) === 'in_queue' ? 'in_queue' : presence;
    }
    case 'web_site':
      return finderPresence(await queues.find(crawlQueue, id), run.documentsExpected !== null);
    case 'item_listing':
      return finderPresence(await queues.find(catalogQueue, id), run.documentsExpected !== null);
  }
}

function presenceIn(state: JobState | undefined): Presence {
  if (state === undefined) return 'absent';
  return state === 'completed' || state === 'failed' ? 'ended' : 'in_queue';
}

/** A job that has reported all documents has nothing left to do, while they are still in the queue of another service. */
function finderPresence(state: JobState | undefined, isEnumerated: boolean): Presence {
  if (!isEnumerated) return presenceIn(state);
  return state === undefined || state === 'failed' ? 'ended' : 'in_queue';
}
