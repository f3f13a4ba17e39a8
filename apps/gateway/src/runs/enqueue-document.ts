import { ingestionQueue, type IndexDocument, type RunState } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { buildOutboxJob, writeOutbox } from '../outbox/outbox.js';
import { getEndedRunState, lockRun } from './lock-run.js';

/**
 * Writes the ingestion job of the only document of a run, such as a page, to the outbox. A repeated job changes nothing, because the
 * queue ignores it by its id.
 *
 * @returns the state of the run; the job is written only if it is `wanted`
 */
export async function enqueueDocument(db: Queries, job: IndexDocument): Promise<RunState> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, job);
    if (typeof locked === 'string') return getEndedRunState(locked);
    const { organizationId, datastoreId, lastSynch } = locked.row;
    const payload = Object.assign({}, job, { organizationId, datastoreId });
    const jobClass = lastSynch === null ? 'interactive' : 'sync';
    const written = buildOutboxJob(ingestionQueue, { name: 'index-document', payload, class: jobClass });
    await writeOutbox(tx, organizationId, [written]);
    return 'wanted';
  });
}
