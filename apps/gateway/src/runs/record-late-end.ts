import { isSettled, type IgnoredReason } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { settleTokens } from '../usage/settle-tokens.js';
import { buildDocumentPages } from './page-counts.js';
import type { DecidedUpdate } from './run-update.js';

/**
 * Records fragments and tokens that a run of one document stored after it had ended, because searches find them. The
 * status of the datasource does not change, and an update of an older run is ignored.
 *
 * @returns the datasource with its new counts
 */
export async function recordLateEnd(
  tx: Queries,
  row: DatasourceRow,
  { event, fragments, storedTokens, ...counts }: DecidedUpdate,
  ignored: IgnoredReason,
): Promise<DatasourceRow> {
  const hasStored = event.type === 'settled' && event.status === 'synched' && fragments !== undefined;
  const isLatest = ignored === 'not_allowed' && isSettled(row.status) && row.status !== 'synched';
  if (!hasStored || !isLatest) return row;
  const stored = { fragments, storedTokens: storedTokens ?? row.storedTokens, pages: buildDocumentPages(counts) };
  await tx.update(datasources).set(stored).where(eq(datasources.id, row.id));
  const next = { ...row, ...stored };
  await settleTokens(tx, [next]);
  return next;
}
