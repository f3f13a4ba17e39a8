import type { UsageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { findOrganization } from './organization-repository.js';
import { tokensOf } from '../usage/claim-tokens.js';
import { monthOf, nextMonth } from '../usage/month.js';
import { queriesOf } from '../usage/query-reservations.js';

/** How an organization stands to its limits at a moment. */
export async function viewUsage(db: Queries, organizationId: string, now: Date): Promise<UsageResponse> {
  const { storedTokens: limit } = await findOrganization(db, organizationId);
  return {
    month: monthOf(now),
    resetsAt: nextMonth(now).toISOString(),
    queries: await queriesOf(db, organizationId, now),
    storedTokens: { used: await tokensOf(db, organizationId), limit },
  };
}
