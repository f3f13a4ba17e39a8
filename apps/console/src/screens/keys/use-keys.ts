import type { ApiKey, CreateApiKeyRequest, QuarryClient } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

const KEYS = ['keys'] as const;

/** Loads the API keys page by page. */
export function useKeys(): Pages<ApiKey> {
  const client = useClient();
  return usePages(KEYS, async (cursor, signal) =>
    client.listApiKeys({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

/** A created API key, with the secret text that is returned only once. */
export type CreatedKey = Awaited<ReturnType<QuarryClient['createApiKey']>>;

/** Creates an API key. */
export function useCreateKey(): UseMutationResult<CreatedKey, Error, CreateApiKeyRequest> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: CreateApiKeyRequest) => client.createApiKey(request),
    onSuccess: () => refreshQueries(queries, { queryKey: KEYS }),
  });
}

/** Revokes an API key. */
export function useRevokeKey(): UseMutationResult<void, Error, ApiKey> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: ApiKey) => client.revokeApiKey(id),
    onSuccess: () => refreshQueries(queries, { queryKey: KEYS }),
  });
}
