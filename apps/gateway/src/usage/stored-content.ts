import { and, eq, gt, isNotNull, max, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { organizations } from '../database/tables/organizations.js';
import { storedDocumentTotals, tokenReservations, tokenTotals } from '../database/tables/token-reservations.js';
import { usageDays } from '../database/tables/usage-days.js';
import { addDays, formatDay } from './day-range.js';

/**
 * Describes how much content an organization has stored, including the reservations for documents that are being
 * indexed.
 */
export interface StoredContent {
  readonly storedTokens: number;
  readonly storedDocuments: number;
}

/**
 * Returns the stored and reserved tokens of an organization, and the number of documents that have stored or reserved
 * tokens.
 */
export async function loadStoredContent(db: Queries, organizationId: string): Promise<StoredContent> {
  const removed = selectTotalOfRemovedDatastores(db, organizationId, COUNT_DOCUMENTS);
  const [row] = await db
    .select({ documents: sql`${storedDocumentTotals.documents} - (${removed})`.mapWith(Number) })
    .from(storedDocumentTotals)
    .where(eq(storedDocumentTotals.organizationId, organizationId));
  return { storedTokens: await loadStoredTokens(db, organizationId), storedDocuments: row?.documents ?? 0 };
}

/** Returns the number of stored and reserved tokens of an organization. */
export async function loadStoredTokens(db: Queries, organizationId: string): Promise<number> {
  const removed = selectTotalOfRemovedDatastores(db, organizationId, SUM_TOKENS);
  const [row] = await db
    .select({ tokens: sql`${tokenTotals.tokens} - (${removed})`.mapWith(Number) })
    .from(tokenTotals)
    .where(eq(tokenTotals.organizationId, organizationId));
  return row?.tokens ?? 0;
}

/**
 * Sums the tokens of datastores that are being removed. The token total of the organization still contains these tokens
 * until the removal subtracts them.
 */
export async function sumRemovedTokens(db: Queries, organizationId: string): Promise<number> {
  const [row] = await selectTotalOfRemovedDatastores(db, organizationId, SUM_TOKENS);
  return row?.total ?? 0;
}

const SUM_TOKENS = sql`coalesce(sum(${tokenReservations.tokens}), 0)`;
const COUNT_DOCUMENTS = sql`count(*) filter (where ${gt(tokenReservations.tokens, 0)})`;

// The return type is inferred, because Drizzle does not export the type of a query.
/**
 * Selects a total of the token reservations in datastores that are being removed.
 *
 * @param organizationId the id of the organization, or the SQL expression of the id
 * @param total the SQL aggregate
 */
function selectTotalOfRemovedDatastores(db: Queries, organizationId: string | SQL, total: SQL) {
  return db
    .select({ total: total.mapWith(Number) })
    .from(datastores)
    .innerJoin(
      datasources,
      and(eq(datasources.organizationId, datastores.organizationId), eq(datasources.datastoreId, datastores.id)),
    )
    .innerJoin(tokenReservations, eq(tokenReservations.datasourceId, datasources.id))
    .where(and(eq(datastores.organizationId, organizationId), isNotNull(datastores.removedAt)));
}

/**
 * Records what each organization had stored at the end of yesterday, and at the end of earlier days on which no gateway
 * ran. Must run soon after midnight in UTC, because it reads the current content.
 *
 * @returns the number of recorded rows
 */
export async function recordStoredContent(db: Queries, now: Date): Promise<number> {
  const yesterday = formatDay(addDays(now, -1));
  const [latest] = await db.select({ day: max(usageDays.day) }).from(usageDays);
  const recorded = latest?.day ?? null;
  if (recorded !== null && recorded >= yesterday) return 0;
  const first = recorded === null ? yesterday : formatDay(addDays(new Date(recorded), 1));
  const endOfYesterday = `${formatDay(now)}T00:00:00Z`;
  const organizationId = sql`total.organization_id`;
  const removedTokens = selectTotalOfRemovedDatastores(db, organizationId, SUM_TOKENS);
  const removedDocuments = selectTotalOfRemovedDatastores(db, organizationId, COUNT_DOCUMENTS);
  // Organizations that were created today are omitted, because they had no content yesterday.
  const { rowCount } = await db.execute(sql`
    insert into ${usageDays} (organization_id, day, stored_tokens, stored_documents)
    select total.organization_id, missing.day, total.tokens - (${removedTokens}),
      coalesce(stored.documents - (${removedDocuments}), 0)
    from ${tokenTotals} as total
    join ${organizations} as organization
      on organization.id = total.organization_id and organization.created_at < ${endOfYesterday}::timestamptz
    left join ${storedDocumentTotals} as stored on stored.organization_id = total.organization_id
    cross join generate_series(${first}::timestamp, ${yesterday}::timestamp, interval '1 day') as missing(day)
    on conflict do nothing`);
  return rowCount ?? 0;
}
