import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { applyUpdate, storeChanges } from './apply-update.js';
import { hasDocumentsInProgress } from './documents-under-way.js';
import type { LockedRun } from './lock-run.js';
import { removeMissingDocuments } from './remove-missing-documents.js';

/** Stores the counters of a run, and ends the run if all its documents are found and none is in progress. */
export async function settleRunIfComplete(tx: Queries, locked: LockedRun, now: Date): Promise<'settled' | 'under_way'> {
  const { row, run } = locked;
  const { documentsSettled: done, documentsExpected: total } = run;
  if (total === null || (await hasDocumentsInProgress(tx, locked))) {
    // While documents are still being discovered, the crawl or listing sync reports the progress.
    const progress = total === null ? {} : { progress: { done, total, unit: 'documents' } };
    await storeDocumentCounts(tx, { ...run, ...progress });
    return 'under_way';
  }
  const cleaned = await removeMissingDocuments(tx, row, run, now);
  await storeDocumentCounts(tx, cleaned);
  const { counters, failureReasons: reasons } = cleaned;
  const ending = { kind: 'documents', settled: done, counters, reasons } as const;
  const event = { type: 'ended', runId: run.id, sequence: row.sequence + 1, ending } as const;
  const target = { datasource: row, run: cleaned, isChanged: false };
  const recorded = await applyUpdate(tx, target, { datasourceId: row.id, event, at: now }, now);
  if (recorded !== 'settled') throw new Error(`expected run ${run.id} to settle, found ${recorded}`);
  await storeChanges(tx, [target], now);
  return recorded;
}

async function storeDocumentCounts(tx: Queries, run: RunRow): Promise<void> {
  const { counters, documentsSettled, documentsExpected, ingestionFailures, failureReasons } = run;
  const { enumeratedAll, note, listingState, progress, lastError, lastEventAt } = run;
  const { truncatedFragments, truncatedDocuments } = run;
  await tx
    .update(runs)
    .set({
      ...{ counters, documentsSettled, documentsExpected, ingestionFailures, failureReasons },
      ...{ enumeratedAll, note, listingState, progress, lastError, lastEventAt },
      ...{ truncatedFragments, truncatedDocuments },
    })
    .where(eq(runs.id, run.id));
}
