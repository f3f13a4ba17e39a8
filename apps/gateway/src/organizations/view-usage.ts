import type { UsageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { findOrganization } from './organization-repository.js';
import { getStoredTokens } from '../usage/claim-tokens.js';
import { computeNextMonth, formatMonth, getMonthlyQueries } from '../usage/query-reservations.js';

/** Returns the usage and the limits of an organization as an API response. */
export async function viewUsage(db: Queries, organizationId: string, now: Date): Promise<UsageResponse> {
  const { storedTokens: limit } = await findOrganization(db, organizationId);
  return {
    month: formatMonth(now),
    resetsAt: computeNextMonth(now).toISOString(),
    queries: await getMonthlyQueries(db, organizationId, now),
    storedTokens: { used: await getStoredTokens(db, organizationId), limit },
  };
}
