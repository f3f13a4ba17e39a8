import type { DocumentSettled } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { documents, type DocumentRow } from '../database/tables/documents.js';
import { runDocuments } from '../database/tables/run-documents.js';
import { runs } from '../database/tables/runs.js';
import { settleDocumentTokens } from '../usage/settle-tokens.js';
import { heldBy } from './held-documents.js';

/**
 * Records that a document was indexed after its run had ended: searches find it, so that it is listed, its tokens count, and a
 * later run can remove it. The run stays as it has ended. What a newer run has indexed stays.
 *
 * @param tx a transaction that has locked the datasource
 */
export async function recordLateDocument(tx: Queries, settled: DocumentSettled): Promise<void> {
  const { datasourceId, documentKey, runId, outcome } = settled;
  const isStored = outcome === 'indexed' || outcome === 'unchanged';
  if (!isStored || !isId(datasourceId)) return;
  const [row] = await tx.select().from(datasources).where(eq(datasources.id, datasourceId));
  if (row === undefined) return;
  const identity = { organizationId: row.organizationId, datasourceId, documentKey };
  const isThis = and(eq(documents.datasourceId, datasourceId), eq(documents.documentKey, documentKey));
  const [known] = await tx.select().from(documents).where(isThis);
  const found = await findChange(tx, row, known, settled);
  if (found === undefined) return;
  const target = [documents.datasourceId, documents.documentKey];
  const numbers = { fragments: settled.fragments ?? 0, storedTokens: settled.storedTokens ?? 0 };
  await tx
    .insert(documents)
    .values({ ...identity, ...found, ...numbers, runId, outcome, settledAt: new Date(settled.at) })
    .onConflictDoUpdate({ target, set: { ...found, ...numbers } });
  await settleDocumentTokens(tx, identity, numbers.storedTokens);
  await tx
    .update(datasources)
    .set(await heldBy(tx, datasourceId))
    .where(eq(datasources.id, datasourceId));
}

/** Returns the columns that change beside the numbers; undefined when the row says already what the index holds. */
async function findChange(
  tx: Queries,
  row: DatasourceRow,
  known: DocumentRow | undefined,
  settled: DocumentSettled,
): Promise<Partial<DocumentRow> | undefined> {
  const { runId, documentKey, outcome } = settled;
  const isNewer = known !== undefined && (await isOfNewerRun(tx, known.runId, runId));
  const isIndexed = known?.outcome === 'indexed' || known?.outcome === 'unchanged';
  if (isIndexed && (isNewer || known.runId === runId)) return undefined;
  const version = settled.version ?? null;
  // A document that is under way is about to be replaced.
  const confirmed = { version: (await isUnderWay(tx, row, documentKey)) ? null : version };
  if (isNewer) return confirmed;
  const reason = { outcome, code: null, message: null };
  const shown = { name: settled.name ?? null, source: settled.source ?? null };
  return { ...confirmed, ...reason, ...shown, runId, foundVersion: version, settledAt: new Date(settled.at) };
}

async function isOfNewerRun(tx: Queries, knownRunId: string, runId: string): Promise<boolean> {
  if (knownRunId === runId || !isId(runId)) return false;
  const rows = await tx
    .select({ id: runs.id, generation: runs.generation })
    .from(runs)
    .where(inArray(runs.id, [knownRunId, runId]));
  const generationOf = new Map(rows.map(({ id, generation }) => [id, generation]));
  // A run that is no longer stored is older than all that are.
  return (generationOf.get(knownRunId) ?? 0) > (generationOf.get(runId) ?? 0);
}

async function isUnderWay(tx: Queries, { id, runId }: DatasourceRow, documentKey: string): Promise<boolean> {
  if (runId === null) return false;
  const isThis = and(
    eq(runDocuments.datasourceId, id),
    eq(runDocuments.runId, runId),
    eq(runDocuments.documentKey, documentKey),
  );
  return (await tx.$count(runDocuments, isThis)) > 0;
}
