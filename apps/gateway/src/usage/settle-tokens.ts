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
  await settleEach(tx, [{ ...document, tokens: stored }]);
}

type Reservation = typeof tokenReservations.$inferInsert;

async function settleEach(tx: Queries, stored: readonly Reservation[]): Promise<void> {
  await tx
    .insert(tokenReservations)
    .values([...stored])
    .onConflictDoUpdate({
      target: [tokenReservations.datasourceId, tokenReservations.documentKey],
      set: { tokens: sql`excluded.tokens` },
      setWhere: sql`${tokenReservations.tokens} <> excluded.tokens`,
    });
}

/**
 * The end of runs: all that was reserved for their datasources becomes what is stored. What was never told of is given back.
 *
 * @param rows as their runs have left them, and locked
 */
export async function settleTokens(tx: Queries, rows: readonly DatasourceRow[]): Promise<void> {
  // Each locks its organization's total: in the same order everywhere.
  const byOrganization = [...Map.groupBy(rows, (row) => row.organizationId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, ofOne] of byOrganization) {
    const documents = ofOne.filter(isOneDocument);
    if (documents.length > 0) await settleEach(tx, documents.map(storedBy));
    for (const row of ofOne) if (!isOneDocument(row)) await settleOthers(tx, row);
  }
}

/** What is or may be several documents. */
async function settleOthers(tx: Queries, row: DatasourceRow): Promise<void> {
  const { id: datasourceId, documentKey } = row;
  const ofDatasource = eq(tokenReservations.datasourceId, datasourceId);
  if (documentKey !== null && (await tx.$count(documents, eq(documents.datasourceId, datasourceId))) === 0) {
    // A page is its document, too, until a run tells of it as one of several.
    await tx.delete(tokenReservations).where(and(ofDatasource, ne(tokenReservations.documentKey, documentKey)));
    await settleEach(tx, [storedBy({ ...row, documentKey })]);
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

interface OneDocument extends DatasourceRow {
  readonly documentKey: string;
}

/** Whether it is itself its document, in all its runs. A file has had no other. */
function isOneDocument(row: DatasourceRow): row is OneDocument {
  return (row.type === 'file' || row.type === 'document') && row.documentKey !== null;
}

function storedBy({ organizationId, id, documentKey, storedTokens }: OneDocument): Reservation {
  return { organizationId, datasourceId: id, documentKey, tokens: storedTokens ?? 0 };
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
