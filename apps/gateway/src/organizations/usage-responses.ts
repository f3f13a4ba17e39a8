import type { UsageDaysQuery, UsageDaysResponse, UsageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import { findOrganization } from './organization-repository.js';
import { loadStoredTokens } from '../usage/stored-content.js';
import { loadDailyUsage } from '../usage/daily-usage.js';
import { parseDayRange } from '../usage/day-range.js';
import { computeNextMonth, formatMonth, loadMonthlyQueries } from '../usage/monthly-queries.js';

/** Returns the usage and the limits of an organization as an API response. */
export async function loadUsageResponse(db: Queries, organizationId: string, now: Date): Promise<UsageResponse> {
  const { storedTokens: limit } = await findOrganization(db, organizationId);
  return {
    month: formatMonth(now),
    resetsAt: computeNextMonth(now).toISOString(),
    queries: await loadMonthlyQueries(db, organizationId, now),
    storedTokens: { used: await loadStoredTokens(db, organizationId), limit },
  };
}

/** Returns the usage of an organization by day as an API response. @throws Problem 400 for an invalid range of days */
export async function loadUsageDaysResponse(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  organizationId: string,
  query: UsageDaysQuery,
): Promise<UsageDaysResponse> {
  const now = clock();
  const { id } = await findOrganization(db, organizationId);
  const range = parseDayRange(query, now);
  return { ...range, days: await loadDailyUsage(db, id, { range, now }) };
}
