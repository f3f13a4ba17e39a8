import { ingestionQueue, transition } from '@quarry/contracts';
import { and, eq, ne } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { documents } from '../database/tables/documents.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { outboxJob, writeOutbox } from '../outbox/outbox.js';
import { afterRun } from './after-run.js';
import { isTooManyGone, verdictOf } from './tally.js';

/** Writes a run of several documents, and ends it when the last of them has settled. */
export async function settleIfAllDone(
  tx: Queries,
  row: DatasourceRow,
  run: RunRow,
  now: Date,
): Promise<'settled' | 'under_way'> {
  const { documentsSettled: done, documentsExpected: total } = run;
  if (total === null || done < total) {
    const progress = { done, unit: 'documents', ...(total === null ? {} : { total }) };
    await tx
      .update(runs)
      .set({ ...changing(run), progress })
      .where(eq(runs.id, run.id));
    return 'under_way';
  }
  const cleaned = await removeGone(tx, row, run);
  const { status, code = null, message = null } = verdictOf(done, cleaned.counters, cleaned.failureReasons);
  const result = transition(row, { type: 'settled', runId: run.id, sequence: row.sequence + 1, status });
  if (!result.taken) throw new Error(`run ${run.id} could not be settled: ${result.refusal}`);
  const { sequence } = result.next;
  const timeline = [...run.timeline, { at: now.toISOString(), step: status }];
  const ended = { status, sequence, code, message, timeline, stage: null, progress: null, endedAt: now };
  await tx
    .update(runs)
    .set({ ...changing(cleaned), ...ended })
    .where(eq(runs.id, run.id));
  const after = await afterRun(tx, row, run, { status, code }, now);
  const lastSynch = status === 'synched' ? now : row.lastSynch;
  await tx
    .update(datasources)
    .set({
      ...{ status, sequence, errorCode: code, errorMessage: message, lastSynch, updatedAt: now },
      ...after,
    })
    .where(eq(datasources.id, row.id));
  return 'settled';
}

function changing(run: RunRow): Partial<RunRow> {
  const { counters, documentsSettled, documentsExpected, enumeratedAll, note, failureReasons, heardAt } = run;
  return { counters, documentsSettled, documentsExpected, enumeratedAll, note, failureReasons, heardAt };
}

/** Removes the documents that a complete enumeration did not name, unless they are suspiciously many. */
async function removeGone(tx: Queries, row: DatasourceRow, run: RunRow): Promise<RunRow> {
  if (!run.enumeratedAll) return run;
  const known = await tx.$count(documents, eq(documents.datasourceId, row.id));
  const isGone = and(eq(documents.datasourceId, row.id), ne(documents.runId, run.id));
  const gone = await tx.select({ key: documents.documentKey }).from(documents).where(isGone);
  if (gone.length === 0) return run;
  if (isTooManyGone(gone.length, known)) {
    const note = `${gone.length} of ${known} known documents were not found again: too many at once to be believed, so they are kept.`;
    return { ...run, note: run.note === null ? note : `${run.note} ${note}` };
  }
  const keys = gone.map(({ key }) => key);
  await writeRemovals(tx, row, run, keys);
  await tx.delete(documents).where(isGone);
  return { ...run, counters: { ...run.counters, removed: run.counters.removed + gone.length } };
}

async function writeRemovals(tx: Queries, row: DatasourceRow, run: RunRow, keys: readonly string[]): Promise<void> {
  const { organizationId, datastoreId, id: datasourceId } = row;
  const [datastore] = await tx.select().from(datastores).where(eq(datastores.id, datastoreId));
  const embedding = datastore?.embedding ?? null;
  const shared = {
    organizationId,
    datastoreId,
    datasourceId,
    runId: run.id,
    generation: run.generation,
    ...(embedding === null ? {} : { embedding }),
  };
  const jobs = keys.map((documentKey) => outboxJob(ingestionQueue, 'remove-document', { ...shared, documentKey }));
  await writeOutbox(tx, organizationId, jobs);
}
