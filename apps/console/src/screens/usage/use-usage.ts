import type { Organization, Usage, UsageDays } from '@quarry/client';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { computeDayRange, type RangeName } from './day-ranges.js';

/** Selects the organization: the organization of the session, or for an operator another one. */
export interface UsageOf {
  readonly organizationId: string | undefined;
}

/** Loads the limits of an organization and how much of them is used. */
export function useLimitUsage({ organizationId }: UsageOf): UseQueryResult<Usage> {
  const client = useClient();
  return useQuery({
    queryKey: ['usage', organizationId],
    queryFn: async ({ signal }) =>
      organizationId === undefined
        ? client.getUsage({ signal })
        : client.getOrganizationUsage(organizationId, { signal }),
  });
}

/**
 * Loads the usage of each day of a range that ends today. The days of the previously selected range stay visible
 * meanwhile.
 */
export function useDailyUsage({
  organizationId,
  range,
}: UsageOf & { readonly range: RangeName }): UseQueryResult<UsageDays> {
  const client = useClient();
  return useQuery({
    queryKey: ['usage', organizationId, 'days', range],
    queryFn: async ({ signal }) => {
      const query = computeDayRange(range, new Date());
      return organizationId === undefined
        ? client.getDailyUsage(query, { signal })
        : client.getOrganizationDailyUsage(organizationId, query, { signal });
    },
    placeholderData: keepPreviousData,
  });
}

/** Loads an organization. Only operators have access. */
export function useOrganization(organizationId: string): UseQueryResult<Organization> {
  const client = useClient();
  return useQuery({
    queryKey: ['organizations', organizationId],
    queryFn: async ({ signal }) => client.getOrganization(organizationId, { signal }),
  });
}
