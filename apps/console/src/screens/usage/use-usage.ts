import type { Organization, Usage, UsageDays } from '@quarry/client';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { computeDayRange, type RangeName } from './day-ranges.js';

/**
 * Selects the organization whose usage is loaded. Undefined: the organization of the session. Only operators may select
 * another organization.
 */
export interface UsageOf {
  readonly organizationId: string | undefined;
}

/** Loads the limits of an organization, and the used amount of each limit. */
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
 * Loads the usage of each day of a range that ends today. Returns the usage of the previously selected range while the
 * new range is loaded.
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
