import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documentTotals } from '../database/tables/document-totals.js';

/** The numbers of documents and fragments of a datasource, and the sums of its stored and reserved tokens. */
export type DocumentTotals = Omit<typeof documentTotals.$inferSelect, 'datasourceId'>;

/** The totals of a datasource that has no documents and no reservations. */
const NO_TOTALS: DocumentTotals = {
  documents: 0,
  storedDocuments: 0,
  fragments: 0,
  storedTokens: 0,
  reservedTokens: 0,
};

/**
 * Loads the totals of the documents and token reservations of a datasource. The totals include the changes that the
 * transaction `tx` has made.
 */
export async function loadDocumentTotals(tx: Queries, datasourceId: string): Promise<DocumentTotals> {
  const [row] = await tx.select().from(documentTotals).where(eq(documentTotals.datasourceId, datasourceId));
  return row ?? NO_TOTALS;
}
