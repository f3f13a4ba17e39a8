import { eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documentTotals } from '../database/tables/document-totals.js';
import { documents } from '../database/tables/documents.js';
import { loadDocumentTotals } from '../usage/document-totals.js';

/**
 * Selects documents that may have fragments. The rows of all other documents record why they have none. The triggers of
 * `document_totals` count documents by the same condition.
 */
export const MAY_HAVE_FRAGMENTS: SQL | undefined = or(
  gt(documents.fragments, 0),
  inArray(documents.outcome, ['indexed', 'unchanged']),
);

/** Returns a subquery with the number of documents of a datasource that may have fragments. */
export function countStoredDocuments(datasourceId: string): SQL {
  return sql`coalesce((select ${documentTotals.storedDocuments} from ${documentTotals} where ${eq(documentTotals.datasourceId, datasourceId)}), 0)`;
}

/** Returns the number of fragments and stored tokens of all documents of a datasource. */
export async function loadStoredTotals(
  tx: Queries,
  datasourceId: string,
): Promise<{ fragments: number; storedTokens: number }> {
  const { fragments, storedTokens } = await loadDocumentTotals(tx, datasourceId);
  return { fragments, storedTokens };
}
