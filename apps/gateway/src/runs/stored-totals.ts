import { eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';

/** Selects documents that may have fragments. The rows of all other documents record why they have none. */
export const MAY_HAVE_FRAGMENTS: SQL | undefined = or(
  gt(documents.fragments, 0),
  inArray(documents.outcome, ['indexed', 'unchanged']),
);

/** Returns a subquery that counts the documents of a datasource which may have fragments. */
export function countStoredDocuments(datasourceId: string): SQL {
  return sql`(select count(*) from ${documents} where ${eq(documents.datasourceId, datasourceId)} and ${MAY_HAVE_FRAGMENTS})`;
}

/** Sums the fragments and stored tokens of all documents of a datasource. */
export async function sumStoredTotals(
  tx: Queries,
  datasourceId: string,
): Promise<{ fragments: number; storedTokens: number }> {
  const [sums] = await tx
    .select({
      fragments: sql`coalesce(sum(${documents.fragments}), 0)`.mapWith(Number),
      storedTokens: sql`coalesce(sum(${documents.storedTokens}), 0)`.mapWith(Number),
    })
    .from(documents)
    .where(eq(documents.datasourceId, datasourceId));
  return sums ?? { fragments: 0, storedTokens: 0 };
}
