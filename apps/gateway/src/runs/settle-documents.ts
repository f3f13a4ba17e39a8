import { transition } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { announceRuns } from '../webhooks/announce-runs.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { afterRun } from './after-run.js';
import { removeGone } from './remove-gone.js';
import { verdictOf } from './tally.js';

/** Writes a run of several documents, and ends it when the last of them has settled. */
export async function settleIfAllDone(
  tx: Queries,
  row: DatasourceRow,
  run: RunRow,
  now: Date,
): Promise<'settled' | 'under_way'> {
  const { documentsSettled: done, documentsExpected: total } = run;
  if (total === null || done < total) {
    // While documents are still being found, whoever finds them tells how far that is.
    const progress = total === null ? {} : { progress: { done, total, unit: 'documents' } };
    await tx
      .update(runs)
      .set({ ...changing(run), ...progress })
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
  await settleTokens(tx, [{ ...row, ...after }]);
  const lastSynch = status === 'synched' ? now : row.lastSynch;
  const changed = {
    ...{ status, sequence, errorCode: code, errorMessage: message, lastSynch, updatedAt: now },
    ...after,
  };
  await tx.update(datasources).set(changed).where(eq(datasources.id, row.id));
  await announceRuns(tx, [{ datasource: { ...row, ...changed }, run }], now);
  return 'settled';
}

function changing(run: RunRow): Partial<RunRow> {
  const { counters, documentsSettled, documentsExpected, enumeratedAll, note, failureReasons, heardAt } = run;
  return { counters, documentsSettled, documentsExpected, enumeratedAll, note, failureReasons, heardAt };
}
