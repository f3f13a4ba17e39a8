import { and, eq, sql, ne, notExists, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { documents } from '../database/tables/documents.js';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { loadDocumentTotals } from './document-totals.js';

/** Identifies the document for which tokens are reserved. */
export interface ReservedDocument {
  readonly organizationId: string;
  readonly datasourceId: string;
  readonly documentKey: string;
}

/** Sets the reserved tokens of a document to `stored`, the number of its stored tokens. */
export async function settleDocumentTokens(tx: Queries, document: ReservedDocument, stored: number): Promise<void> {
  await upsertTokenReservations(tx, [{ ...document, tokens: stored }]);
}

type Reservation = typeof tokenReservations.$inferInsert;

async function upsertTokenReservations(tx: Queries, stored: readonly Reservation[]): Promise<void> {
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
 * Replaces all reservations of datasources by the stored tokens of their documents, at the end of the runs. Deletes
 * reservations of documents for which the run reported no outcome.
 *
 * @param rows the locked rows of the datasources, with the values at the end of their runs
 */
export async function settleTokensOfDatasources(tx: Queries, rows: readonly DatasourceRow[]): Promise<void> {
  // Locks the total of each organization in a fixed order that all transactions use, so that no deadlock occurs.
  const byOrganization = [...Map.groupBy(rows, (row) => row.organizationId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, ownRows] of byOrganization) {
    const documents = ownRows.filter(isSingleDocument);
    if (documents.length > 0) await upsertTokenReservations(tx, documents.map(buildTokenReservation));
    for (const row of ownRows) if (!isSingleDocument(row)) await replaceReservationsByStoredTokens(tx, row);
  }
}

/**
 * Builds a part of the SQL statement that ends a run. If `condition` is met, this part replaces the token reservation
 * of a single document by its stored tokens.
 */
export function buildSettlementStatement(row: SingleDocument, condition: SQL): SQL {
  const { organizationId, datasourceId, documentKey, tokens } = buildTokenReservation(row);
  return sql`insert into ${tokenReservations} (organization_id, datasource_id, document_key, tokens)
    select ${organizationId}::uuid, ${datasourceId}::uuid, ${documentKey}::text, ${tokens}::bigint where ${condition}
    on conflict (datasource_id, document_key) do update set tokens = excluded.tokens
    where ${tokenReservations.tokens} <> excluded.tokens`;
}

/**
 * Replaces the reservations of the documents of a datasource by their stored tokens. The datasource can have several
 * documents. No reservation is smaller than the stored tokens of its document. So if the sums of reserved and stored
 * tokens are equal, nothing must be replaced.
 */
async function replaceReservationsByStoredTokens(tx: Queries, row: DatasourceRow): Promise<void> {
  const { id: datasourceId, documentKey } = row;
  const ofDatasource = eq(tokenReservations.datasourceId, datasourceId);
  const totals = await loadDocumentTotals(tx, datasourceId);
  if (documentKey !== null && totals.documents === 0) {
    // A web page counts as a single document until a run reports several documents.
    await tx.delete(tokenReservations).where(and(ofDatasource, ne(tokenReservations.documentKey, documentKey)));
    await upsertTokenReservations(tx, [buildTokenReservation({ ...row, documentKey })]);
    return;
  }
  if (totals.reservedTokens === totals.storedTokens) return;
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

/** A datasource that is always a single document. */
export interface SingleDocument extends DatasourceRow {
  readonly documentKey: string;
}

/** Returns true for a file or an upserted document, which is always the only document of its datasource. */
export function isSingleDocument(row: DatasourceRow): row is SingleDocument {
  return (row.type === 'file' || row.type === 'document') && row.documentKey !== null;
}

function buildTokenReservation({ organizationId, id, documentKey, storedTokens }: SingleDocument): Reservation {
  return { organizationId, datasourceId: id, documentKey, tokens: storedTokens ?? 0 };
}
