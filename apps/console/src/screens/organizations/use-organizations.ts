import type { Organization } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import {
  buildOrganizationRequest,
  buildOrganizationUpdate,
  createOrganizationDraft,
  type OrganizationDraft,
} from './organization-draft.js';

const ORGANIZATIONS = ['organizations'] as const;

/** Loads the organizations page by page. */
export function useOrganizations(): Pages<Organization> {
  const client = useClient();
  return usePages(ORGANIZATIONS, async (cursor, signal) =>
    client.listOrganizations({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

/**
 * Changes an organization; for undefined, creates one. The mutation resolves to the API key of a new organization; to
 * undefined after a change.
 */
export function useSaveOrganization(
  organization: Organization | undefined,
): UseMutationResult<string | undefined, Error, OrganizationDraft> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: OrganizationDraft) => {
      if (organization === undefined) return (await client.createOrganization(buildOrganizationRequest(draft))).apiKey;
      const stored = createOrganizationDraft(organization);
      await client.updateOrganization(organization.id, buildOrganizationUpdate(stored, draft));
      return undefined;
    },
    onSuccess: () => refreshQueries(queries, { queryKey: ORGANIZATIONS }),
  });
}

/** Deletes an organization with all its data. */
export function useDeleteOrganization(): UseMutationResult<void, Error, Organization> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Organization) => client.deleteOrganization(id),
    onSuccess: () => refreshQueries(queries, { queryKey: ORGANIZATIONS }),
  });
}
