import type { OrganizationResponse } from '@quarry/contracts';
import type { OrganizationRow } from '../database/tables/organizations.js';

/** Builds the API response of an organization. */
export function buildOrganizationResponse(row: OrganizationRow): OrganizationResponse {
  return {
    id: row.id,
    name: row.name,
    limits: {
      agentQueriesPerMonth: row.agentQueriesPerMonth,
      storedTokens: row.storedTokens,
      concurrentJobs: row.concurrentJobs,
      jobWeight: row.jobWeight,
    },
    conversationRetentionDays: row.conversationRetentionDays,
    createdAt: row.createdAt.toISOString(),
  };
}
