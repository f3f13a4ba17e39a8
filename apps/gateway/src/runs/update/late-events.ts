import { type DocumentSettled, isSettledStatus, type DatasourceEvent, type IgnoredReason } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../../database/database.js';
import { runs } from '../../database/tables/runs.js';
import { isId } from '../../database/id.js';
import { type DatasourceRow, datasources } from '../../database/tables/datasources.js';
import { type DocumentRow, documents } from '../../database/tables/documents.js';
import { buildPresentDatastoreCondition } from '../../datastores/datastore-repository.js';
import { runDocuments } from '../../database/tables/run-documents.js';
import { settleDocumentTokens, settleTokensOfDatasources } from '../../usage/settle-tokens.js';
import { buildDocumentPages, loadStoredTotals, type PageCounts } from '../document-rows.js';

/**
 * Describes an event that reports the end of a run that has already ended, with the counts that the worker reported.
 */
interface LateEnd extends PageCounts {
  readonly event: DatasourceEvent;
  readonly fragments?: number | undefined;
  readonly storedTokens?: number | undefined;
}

/**
 * Records fragments and tokens that a run of one document stored after the run had ended, because searches find these
 * fragments. The status of the datasource does not change. An event of an earlier run changes nothing.
 *
 * @returns the datasource with its new counts
 */
export async function recordLateRunEnd(
  tx: Queries,
  row: DatasourceRow,
  { event, fragments, storedTokens, ...counts }: LateEnd,
  ignored: IgnoredReason,
): Promise<DatasourceRow> {
  const hasStored = event.type === 'settled' && event.status === 'synched' && fragments !== undefined;
  const isLatest = ignored === 'not_allowed' && isSettledStatus(row.status) && row.status !== 'synched';
  if (!hasStored || !isLatest) return row;
  const stored = { fragments, storedTokens: storedTokens ?? row.storedTokens, pages: buildDocumentPages(counts) };
  await tx.update(datasources).set(stored).where(eq(datasources.id, row.id));
  const next = { ...row, ...stored };
  await settleTokensOfDatasources(tx, [next]);
  return next;
}

/**
 * Records a document that was indexed after its run had ended. The document is then listed, its tokens count against
 * the limit, and a later run can remove it. The row of the run does not change, and neither does a document that a
 * newer run has indexed.
 *
 * @param tx a transaction that has locked the datasource
 */
export async function recordLateDocument(tx: Queries, settled: DocumentSettled): Promise<void> {
  const { datasourceId, documentKey, runId, outcome } = settled;
  const isStored = outcome === 'indexed' || outcome === 'unchanged';
  if (!isStored || !isId(datasourceId)) return;
  const isPresent = and(eq(datasources.id, datasourceId), buildPresentDatastoreCondition());
  const [row] = await tx.select().from(datasources).where(isPresent);
  if (row === undefined) return;
  const identity = { organizationId: row.organizationId, datasourceId, documentKey };
  const isThis = and(eq(documents.datasourceId, datasourceId), eq(documents.documentKey, documentKey));
  const [known] = await tx.select().from(documents).where(isThis);
  const found = await computeChangedColumns(tx, row, known, settled);
  if (found === undefined) return;
  const target = [documents.datasourceId, documents.documentKey];
  const { fragments = 0, storedTokens = 0 } = settled;
  const numbers = { fragments, storedTokens, pages: buildDocumentPages(settled) };
  await tx
    .insert(documents)
    .values({ ...identity, ...found, ...numbers, runId, outcome, settledAt: new Date(settled.at) })
    .onConflictDoUpdate({ target, set: { ...found, ...numbers } });
  await settleDocumentTokens(tx, identity, numbers.storedTokens);
  await tx
    .update(datasources)
    .set(await loadStoredTotals(tx, datasourceId))
    .where(eq(datasources.id, datasourceId));
}

/**
 * Computes the new values of a document row, except its counts. Returns undefined if the row already describes the
 * indexed document, so that nothing must be written.
 */
async function computeChangedColumns(
  tx: Queries,
  row: DatasourceRow,
  known: DocumentRow | undefined,
  settled: DocumentSettled,
): Promise<Partial<DocumentRow> | undefined> {
  const { runId, documentKey, outcome } = settled;
  const isNewer = known !== undefined && (await isRecordedByNewerRun(tx, known.runId, runId));
  const isIndexed = known?.outcome === 'indexed' || known?.outcome === 'unchanged';
  if (isIndexed && (isNewer || known.runId === runId)) return undefined;
  const version = settled.version ?? null;
  // While the latest run is about to replace the document, no version is stored as the indexed version.
  const confirmed = { version: (await isDocumentInProgress(tx, row, documentKey)) ? null : version };
  if (isNewer) return confirmed;
  const reason = { outcome, code: null, message: null };
  const shown = { name: settled.name ?? null, source: settled.source ?? null };
  return { ...confirmed, ...reason, ...shown, runId, foundVersion: version, settledAt: new Date(settled.at) };
}

/** Returns true if the run that recorded a document, `knownRunId`, is newer than the run of an event, `runId`. */
async function isRecordedByNewerRun(tx: Queries, knownRunId: string, runId: string): Promise<boolean> {
  if (knownRunId === runId || !isId(runId)) return false;
  const rows = await tx
    .select({ id: runs.id, generation: runs.generation })
    .from(runs)
    .where(inArray(runs.id, [knownRunId, runId]));
  const generationsById = new Map(rows.map(({ id, generation }) => [id, generation]));
  // Only the oldest runs are deleted, so a run without a row is older than every run that has a row.
  return (generationsById.get(knownRunId) ?? 0) > (generationsById.get(runId) ?? 0);
}

async function isDocumentInProgress(tx: Queries, { id, runId }: DatasourceRow, documentKey: string): Promise<boolean> {
  if (runId === null) return false;
  const isThis = and(
    eq(runDocuments.datasourceId, id),
    eq(runDocuments.runId, runId),
    eq(runDocuments.documentKey, documentKey),
  );
  return (await tx.$count(runDocuments, isThis)) > 0;
}
