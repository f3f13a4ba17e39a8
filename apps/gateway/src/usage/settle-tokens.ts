import { and, eq, inArray, ne, notExists, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { datasources } from '../database/tables/datasources.js';
import { documents } from '../database/tables/documents.js';
import { tokenReservations } from '../database/tables/token-reservations.js';

/** One document of an organization. */
export interface ReservedDocument {
  readonly organizationId: string;
  readonly datasourceId: string;
  readonly documentKey: string;
}

/** What was reserved for a document becomes what is stored of it. */
export async function settleDocumentTokens(tx: Queries, document: ReservedDocument, stored: number): Promise<void> {
  await tx
    .insert(tokenReservations)
    .values({ ...document, tokens: stored })
    .onConflictDoUpdate({
      target: [tokenReservations.datasourceId, tokenReservations.documentKey],
      set: { tokens: stored },
      setWhere: ne(tokenReservations.tokens, stored),
    });
}

/**
 * The end of a run: all that was reserved for its datasource becomes what is stored. What was never told of is given back.
 *
 * @param row as the run has left it, and locked
 */
export async function settleTokens(tx: Queries, row: DatasourceRow): Promise<void> {
  const { id: datasourceId, organizationId, documentKey, storedTokens } = row;
  const ofDatasource = eq(tokenReservations.datasourceId, datasourceId);
  if (documentKey !== null && !(await hasDocuments(tx, row))) {
    // A file has had no other document.
    if (!isOneDocument(row)) {
      await tx.delete(tokenReservations).where(and(ofDatasource, ne(tokenReservations.documentKey, documentKey)));
    }
    await settleDocumentTokens(tx, { organizationId, datasourceId, documentKey }, storedTokens ?? 0);
    return;
  }
  const same = and(
    eq(documents.datasourceId, tokenReservations.datasourceId),
    eq(documents.documentKey, tokenReservations.documentKey),
  );
  const document = tx
    .select({ one: sql`1` })
    .from(documents)
    .where(same);
  await tx.delete(tokenReservations).where(and(ofDatasource, notExists(document)));
  await tx
    .update(tokenReservations)
    .set({ tokens: documents.storedTokens })
    .from(documents)
    .where(and(ofDatasource, same, ne(tokenReservations.tokens, documents.storedTokens)));
}

/** A page is its document, too, until a run tells of it as one of several. */
async function hasDocuments(tx: Queries, row: DatasourceRow): Promise<boolean> {
  return !isOneDocument(row) && (await tx.$count(documents, eq(documents.datasourceId, row.id))) > 0;
}

/** Whether it is itself its document, in all its runs. */
function isOneDocument({ type }: DatasourceRow): boolean {
  return type === 'file' || type === 'document';
}

/** Gives back all tokens of a datastore at once, before it goes: as a cascade it would be a step a datasource. */
export async function freeTokensOf(tx: Queries, datastoreId: string): Promise<void> {
  const rows = await tx
    .select({ id: datasources.id })
    .from(datasources)
    .where(eq(datasources.datastoreId, datastoreId))
    .for('update');
  if (rows.length === 0) return;
  const those = tx.select({ id: datasources.id }).from(datasources).where(eq(datasources.datastoreId, datastoreId));
  await tx.delete(tokenReservations).where(inArray(tokenReservations.datasourceId, those));
}
