import type { UsageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { findOrganization } from './organization-repository.js';
import { getStoredTokens } from '../usage/claim-tokens.js';
import { monthOf, getNextMonth } from '../usage/month.js';
import { getMonthlyQueries } from '../usage/query-reservations.js';

/** Returns the usage and the limits of an organization as the API shows them. */
export async function viewUsage(db: Queries, organizationId: string, now: Date): Promise<UsageResponse> {
  const { storedTokens: limit } = await findOrganization(db, organizationId);
  return {
    month: monthOf(now),
    resetsAt: getNextMonth(now).toISOString(),
    queries: await getMonthlyQueries(db, organizationId, now),
    storedTokens: { used: await getStoredTokens(db, organizationId), limit },
  };
}
