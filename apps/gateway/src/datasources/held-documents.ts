import { eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm';
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
