import { isSettled, type Refusal } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { settleTokens } from '../usage/settle-tokens.js';
import type { RunReport } from './run-report.js';

/**
 * Records what a run of one document has stored, although it was ended before it reported: searches find it, and its tokens
 * count. The status of the datasource stays. What a newer run has indexed, or is about to, stays.
 *
 * @returns the datasource with what it holds
 */
export async function recordLateEnd(
  tx: Queries,
  row: DatasourceRow,
  { event, fragments, storedTokens }: RunReport,
  refusal: Refusal,
): Promise<DatasourceRow> {
  const hasStored = event.type === 'settled' && event.status === 'synched' && fragments !== undefined;
  const isLatest = refusal === 'not_allowed' && isSettled(row.status) && row.status !== 'synched';
  if (!hasStored || !isLatest) return row;
  const held = { fragments, storedTokens: storedTokens ?? row.storedTokens };
  await tx.update(datasources).set(held).where(eq(datasources.id, row.id));
  const next = { ...row, ...held };
  await settleTokens(tx, [next]);
  return next;
}
