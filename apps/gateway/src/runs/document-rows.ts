import type { DocumentOutcomeFound, DocumentSettled, DocumentPages, PageConfidence } from '@quarry/contracts';
import { and, eq, ne, type SQL, sql, gt, inArray, or } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { settleDocumentTokens } from '../usage/settle-tokens.js';
import { documentTotals } from '../database/tables/document-totals.js';
import { loadDocumentTotals } from '../usage/document-totals.js';
import type { LockedRun } from './run-in-progress.js';

/**
 * Stores the outcome of one document of a run.
 *
 * @param foundVersion the version that the run has found; null if the run recorded no version
 * @returns false if the run had already stored an outcome of this document
 */
export async function storeDocumentOutcome(
  tx: Queries,
  { row, run }: LockedRun,
  settled: DocumentSettled,
  foundVersion: string | null,
): Promise<boolean> {
  const { documentKey, outcome, fragments, storedTokens } = settled;
  const version = settled.version ?? foundVersion;
  const isConfirmed = outcome === 'indexed' || outcome === 'unchanged';
  const identity = { organizationId: row.organizationId, datasourceId: row.id, documentKey };
  const written = {
    ...buildOutcomeColumns(settled),
    ...{ runId: run.id, outcome, foundVersion: version, settledAt: new Date(settled.at) },
  };
  const pages = buildDocumentPages(settled);
  const numbers = { fragments: fragments ?? 0, storedTokens: storedTokens ?? 0, pages };
  const [stored] = await tx
    .insert(documents)
    .values({ ...identity, ...written, ...numbers, version: isConfirmed ? version : null })
    .onConflictDoUpdate({
      target: [documents.datasourceId, documents.documentKey],
      // If a page could not be fetched again, its stored fragments remain.
      set: {
        ...written,
        fragments: fragments ?? documents.fragments,
        storedTokens: storedTokens ?? documents.storedTokens,
        ...(fragments === undefined ? {} : { pages }),
        ...(outcome === 'indexed' || (outcome === 'unchanged' && version !== null) ? { version } : {}),
      },
      setWhere: ne(documents.runId, run.id),
    })
    .returning({ storedTokens: documents.storedTokens });
  if (stored === undefined) return false;
  await settleDocumentTokens(tx, identity, stored.storedTokens);
  return true;
}

/** Stores outcomes that a crawl or listing sync reports itself, for documents that its run has not recorded before. */
export async function storeFoundDocumentOutcomes(
  tx: Queries,
  locked: LockedRun,
  settled: readonly DocumentOutcomeFound[],
  at: Date,
): Promise<void> {
  const confirmed = await markDocumentsUnchanged(tx, locked, settled.filter(isUnchangedWithoutDetails), at);
  const others = settled.filter(({ documentKey }) => !confirmed.has(documentKey));
  if (others.length === 0) return;
  const { row, run } = locked;
  const shared = { organizationId: row.organizationId, datasourceId: row.id, runId: run.id, settledAt: at };
  const none = { fragments: 0, storedTokens: 0 };
  const rows = others.map((one) => ({
    ...{ ...shared, ...none, documentKey: one.documentKey, outcome: one.outcome },
    foundVersion: one.version ?? null,
    ...buildOutcomeColumns(one),
  }));
  await tx
    .insert(documents)
    .values(rows)
    .onConflictDoUpdate({
      target: [documents.datasourceId, documents.documentKey],
      set: {
        runId: run.id,
        outcome: sql`excluded.outcome`,
        code: sql`excluded.code`,
        message: sql`excluded.message`,
        name: sql`coalesce(excluded.name, ${documents.name})`,
        source: sql`coalesce(excluded.source, ${documents.source})`,
        foundVersion: sql`case when excluded.outcome = 'unchanged' then ${documents.version} else excluded.found_version end`,
        settledAt: at,
      },
    });
}

function isUnchangedWithoutDetails({ outcome, code, message, name, source }: DocumentOutcomeFound): boolean {
  return outcome === 'unchanged' && [code, message, name, source].every((value) => value === undefined);
}

/** Marks stored documents as unchanged, in one statement. @returns the keys of those documents that have a row */
async function markDocumentsUnchanged(
  tx: Queries,
  { row, run }: LockedRun,
  unchanged: readonly DocumentOutcomeFound[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (unchanged.length === 0) return new Set();
  const keys = unchanged.map(({ documentKey }) => documentKey);
  const rows = await tx
    .update(documents)
    .set({
      ...{ runId: run.id, outcome: 'unchanged', code: null, message: null },
      ...{ foundVersion: documents.version, settledAt: at },
    })
    .where(and(eq(documents.datasourceId, row.id), buildDocumentKeyCondition(keys)))
    .returning({ key: documents.documentKey });
  return new Set(rows.map(({ key }) => key));
}

/** Selects the documents with some keys, in one parameter of the statement. */
export function buildDocumentKeyCondition(keys: readonly string[]): SQL {
  return sql`${documents.documentKey} = any(${sql.param(keys)}::text[])`;
}

/** Deletes documents of a datasource with their token reservations. */
export async function deleteDocumentRows(tx: Queries, datasourceId: string, condition: SQL | undefined): Promise<void> {
  const isRemoved = and(eq(documents.datasourceId, datasourceId), condition);
  await tx.execute(sql`
    with removed as (delete from ${documents} where ${isRemoved} returning document_key)
    delete from ${tokenReservations} where ${buildReservationCondition(datasourceId, sql`removed`)}`);
}

/** Records that the fragments of documents of a datasource are removed, and releases the tokens of these documents. */
export async function clearStoredContent(tx: Queries, datasourceId: string, condition: SQL | undefined): Promise<void> {
  const isCleared = and(eq(documents.datasourceId, datasourceId), condition);
  await tx.execute(sql`
    with cleared as (
      update ${documents} set fragments = 0, stored_tokens = 0, version = null where ${isCleared} returning document_key)
    update ${tokenReservations} set tokens = 0 where ${buildReservationCondition(datasourceId, sql`cleared`)}`);
}

/**
 * Builds the condition that selects the token reservations of changed documents. The condition compares keys with an
 * array, because for a join of unknown size PostgreSQL would read all reservations.
 *
 * @param changed a subquery with the column `document_key`
 */
function buildReservationCondition(datasourceId: string, changed: SQL): SQL | undefined {
  const { datasourceId: ofDatasource, documentKey } = tokenReservations;
  return and(eq(ofDatasource, datasourceId), sql`${documentKey} = any(array(select document_key from ${changed}))`);
}

function buildOutcomeColumns({
  code,
  message,
  name,
  source,
}: Pick<DocumentSettled, 'code' | 'message' | 'name' | 'source'>) {
  return { code: code ?? null, message: message ?? null, name: name ?? null, source: source ?? null };
}

/** Counts the pages of one document by the kind of their text, as the worker reports them. */
export interface PageCounts {
  readonly undecodedPages?: number | undefined;
  readonly imagePages?: number | undefined;
  readonly recognizedPages?: number | undefined;
  /** Average confidence of the text recognition in the document, in percent. */
  readonly recognitionConfidence?: number | undefined;
  readonly pageConfidences?: readonly PageConfidence[] | undefined;
  readonly pages?: number | undefined;
}

/** Builds the page counts that are stored with a document. @returns null if the document has no pages */
export function buildDocumentPages(counts: PageCounts): DocumentPages | null {
  const { pages: total, undecodedPages, imagePages, recognizedPages, recognitionConfidence } = counts;
  if (total === undefined) return null;
  return {
    total,
    undecoded: undecodedPages ?? 0,
    images: imagePages ?? 0,
    recognized: recognizedPages ?? 0,
    confidence: recognitionConfidence ?? null,
    confidences: counts.pageConfidences ?? [],
  };
}

/**
 * Selects documents that may have fragments: rows with a number of fragments above 0, or with the outcome `indexed` or
 * `unchanged`. The triggers of `document_totals` count documents by the same condition.
 */
export const MAY_HAVE_FRAGMENTS: SQL | undefined = or(
  gt(documents.fragments, 0),
  inArray(documents.outcome, ['indexed', 'unchanged']),
);

/** Returns a subquery with the number of documents of a datasource that `MAY_HAVE_FRAGMENTS` selects. */
export function buildStoredDocumentCount(datasourceId: string): SQL {
  return sql`coalesce((select ${documentTotals.storedDocuments} from ${documentTotals} where ${eq(documentTotals.datasourceId, datasourceId)}), 0)`;
}

/** Returns the numbers of fragments and of stored tokens of all documents of a datasource. */
export async function loadStoredTotals(
  tx: Queries,
  datasourceId: string,
): Promise<{ fragments: number; storedTokens: number }> {
  const { fragments, storedTokens } = await loadDocumentTotals(tx, datasourceId);
  return { fragments, storedTokens };
}
