import { createRunNote } from '@quarry/contracts';
import { and, asc, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Queries } from '../../database/database.js';
import { type RunRow, runs } from '../../database/tables/runs.js';
import type { DatasourceRow } from '../../database/tables/datasources.js';
import { datastores } from '../../database/tables/datastores.js';
import { documents } from '../../database/tables/documents.js';
import { writeRemovals } from '../../removals/removals.js';
import { loadDocumentTotals } from '../../usage/document-totals.js';
import { clearStoredContent, deleteDocumentRows, MAY_HAVE_FRAGMENTS } from '../document-rows.js';
import { hasDocumentsInProgress, type LockedRun } from '../run-in-progress.js';
import { addRunNote } from '../run-notes.js';
import { applyRunUpdate } from './apply-run-update.js';
import { storeUpdatedRuns } from './store-updated-runs.js';
import { describeMissingDocuments, buildRunRemoval } from './mass-removal.js';

/**
 * Stores the counters, notes and progress of a run. Ends the run if all its documents have been found and have settled.
 *
 * @returns `settled` if this call has ended the run; otherwise `under_way`
 */
export async function settleRunIfComplete(tx: Queries, locked: LockedRun, now: Date): Promise<'settled' | 'under_way'> {
  const { row, run } = locked;
  const { documentsSettled: done, documentsExpected: total } = run;
  if (total === null || (await hasDocumentsInProgress(tx, locked))) {
    // While documents are still being discovered, the crawl or listing sync reports the progress.
    const progress = total === null ? {} : { progress: { done, total, unit: 'documents' } };
    await storeRunProgress(tx, { ...run, ...progress });
    return 'under_way';
  }
  const cleaned = await removeMissingDocuments(tx, row, run, now);
  await storeRunProgress(tx, cleaned);
  const { counters, failureReasons: reasons } = cleaned;
  const ending = { kind: 'documents', settled: done, counters, reasons } as const;
  const event = { type: 'ended', runId: run.id, sequence: row.sequence + 1, ending } as const;
  const target = { datasource: row, run: cleaned, isChanged: false };
  const recorded = await applyRunUpdate(tx, target, { datasourceId: row.id, event, at: now }, now);
  if (recorded !== 'settled')
    throw new Error(`expected the result "settled" for the end of run ${run.id}, found ${recorded}`);
  await storeUpdatedRuns(tx, [target], now);
  return recorded;
}

/** Stores the columns of a run that change while the outcomes of its documents are recorded. */
async function storeRunProgress(tx: Queries, run: RunRow): Promise<void> {
  const { counters, documentsSettled, documentsExpected, ingestionFailures, failureReasons } = run;
  const { enumeratedAll, note, notes, listingState, progress, lastError, lastEventAt } = run;
  const { truncatedFragments, truncatedDocuments, removal } = run;
  await tx
    .update(runs)
    .set({
      ...{ counters, documentsSettled, documentsExpected, ingestionFailures, failureReasons },
      ...{ enumeratedAll, note, notes, listingState, progress, lastError, lastEventAt },
      ...{ truncatedFragments, truncatedDocuments, removal },
    })
    .where(eq(runs.id, run.id));
}

/**
 * If a run has enumerated its source completely, removes the documents of the datasource that the run has not found.
 * Also removes the fragments of documents that the run has skipped, such as pages that now forbid indexing. Skipped
 * documents stay in the list of documents, with the reason. If so many documents would be removed that the source is
 * probably faulty, only adds a note, unless the run has `allowMassRemoval`.
 *
 * @returns the run with changed counters or with the note
 */
async function removeMissingDocuments(tx: Queries, row: DatasourceRow, run: RunRow, now: Date): Promise<RunRow> {
  const totals = await loadDocumentTotals(tx, row.id);
  // Each document that the run has settled has one row with the id of the run. Any other row belongs to a missing
  // document.
  const hasMissing = run.enumeratedAll && totals.documents !== run.documentsSettled;
  const isSkipped = and(eq(documents.runId, run.id), SKIPPED_WITH_FRAGMENTS);
  const isMissing = hasMissing ? buildOtherRunCondition(run) : undefined;
  const removed = await listMatchingDocumentKeys(tx, row, isSkipped, isMissing && and(isMissing, MAY_HAVE_FRAGMENTS));
  const { storedDocuments: stored } = totals;
  const missing = removed.length;
  const known = run.documentsKnown ?? stored;
  const removal = buildRunRemoval({ missing, known, remaining: stored - missing }, run.allowMassRemoval);
  if (removal?.needsConfirmation === true) {
    const shown = removed.slice(0, MAX_SHOWN_KEYS);
    const examples = shown.join(', ');
    const [isExcluded, isKept, them] = missing === 1 ? ['is', 'It is', 'it'] : ['are', 'They are', 'them'];
    const note = `${describeMissingDocuments(missing, known)}, or ${isExcluded} now excluded. ${isKept} kept, because so many at once suggest a fault of the source. The first: ${examples}. To remove ${them}, sync with allowMassRemoval=true.`;
    return addRunNote({ ...run, removal }, createRunNote('missing_documents_kept', { missing, known, examples }, note));
  }
  await writeFragmentRemovals(tx, { row, run, now }, removed);
  if (isMissing !== undefined) await deleteDocumentRows(tx, row.id, isMissing);
  if (missing > 0) await clearStoredContent(tx, row.id, isSkipped);
  // A dry run removes nothing, and its `removal` already states what a real run would remove.
  const counters = { ...run.counters, removed: run.counters.removed + missing };
  return { ...run, removal: removal ?? run.removal, counters };
}

/**
 * Condition for skipped documents that still have fragments. Has no SQL parameters, because PostgreSQL could otherwise
 * choose a plan without the partial index `documents_skipped_with_fragments`.
 */
const SKIPPED_WITH_FRAGMENTS = sql`${documents.outcome} = 'skipped' and ${documents.fragments} > 0`;

/**
 * Builds the condition that selects documents that the run has not settled. The condition consists of two ranges
 * instead of `<>`, for which PostgreSQL cannot use an index.
 */
function buildOtherRunCondition({ id }: RunRow): SQL | undefined {
  return or(lt(documents.runId, id), gt(documents.runId, id));
}

/**
 * Lists the keys of those documents of a datasource that meet the first or the second condition. The keys are sorted.
 * No document may meet both conditions, because its key would be listed twice.
 *
 * @param secondCondition undefined: only the first condition selects documents
 */
async function listMatchingDocumentKeys(
  tx: Queries,
  { id }: DatasourceRow,
  firstCondition: SQL | undefined,
  secondCondition: SQL | undefined,
): Promise<readonly string[]> {
  const selectKeys = (condition: SQL | undefined) =>
    tx
      .select({ key: documents.documentKey })
      .from(documents)
      .where(and(eq(documents.datasourceId, id), condition));
  const found =
    secondCondition === undefined
      ? selectKeys(firstCondition)
      : unionAll(selectKeys(firstCondition), selectKeys(secondCondition)).$dynamic();
  const rows = await found.orderBy(asc(documents.documentKey));
  return rows.map(({ key }) => key);
}

/** Maximum number of document keys that the note about missing documents lists. */
const MAX_SHOWN_KEYS = 3;

interface RemovalContext {
  readonly row: DatasourceRow;
  readonly run: RunRow;
  readonly now: Date;
}

async function writeFragmentRemovals(
  tx: Queries,
  { row, run, now }: RemovalContext,
  keys: readonly string[],
): Promise<void> {
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
  const removals = keys.map((documentKey) => ({ kind: 'document' as const, payload: { ...shared, documentKey } }));
  await writeRemovals(tx, organizationId, removals, now);
}
