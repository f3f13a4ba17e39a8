import { eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';

/** Documents that may have fragments. The others are only words on why there are none. */
export const HELD: SQL | undefined = or(
  gt(documents.fragments, 0),
  inArray(documents.outcome, ['indexed', 'unchanged']),
);

/** How many documents a datasource has, as a part of a statement. */
export function countHeld(datasourceId: string): SQL {
  return sql`(select count(*) from ${documents} where ${eq(documents.datasourceId, datasourceId)} and ${HELD})`;
}

/** Returns the sums of what all documents of a datasource hold in the fragment store. */
export async function heldBy(tx: Queries, datasourceId: string): Promise<{ fragments: number; storedTokens: number }> {
  const [held] = await tx
    .select({
      fragments: sql`coalesce(sum(${documents.fragments}), 0)`.mapWith(Number),
      storedTokens: sql`coalesce(sum(${documents.storedTokens}), 0)`.mapWith(Number),
    })
    .from(documents)
    .where(eq(documents.datasourceId, datasourceId));
  return held ?? { fragments: 0, storedTokens: 0 };
}
