import type { UsageResponse } from '@quarry/contracts';
import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { findOrganization } from '../organizations/organization-repository.js';
import { monthOf, nextMonth } from './month.js';
import { queriesOf } from './query-reservations.js';

/** How an organization stands to its limits at a moment. */
export async function viewUsage(db: Queries, organizationId: string, now: Date): Promise<UsageResponse> {
  const { storedTokens: limit } = await findOrganization(db, organizationId);
  return {
    month: monthOf(now),
    resetsAt: nextMonth(now).toISOString(),
    queries: await queriesOf(db, organizationId, now),
    storedTokens: { used: await storedTokensOf(db, organizationId), limit },
  };
}

async function storedTokensOf(db: Queries, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ sum: sql`coalesce(sum(${datasources.storedTokens}), 0)`.mapWith(Number) })
    .from(datasources)
    .where(eq(datasources.organizationId, organizationId));
  return row?.sum ?? 0;
}
