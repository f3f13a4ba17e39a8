import type {
  Agent,
  CreateAgentRequest,
  PromptPreview,
  PromptPreviewRequest,
  UpdateAgentRequest,
} from '@quarry/client';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

const AGENTS = ['agents'] as const;

/** Loads the agents page by page. */
export function useAgents(): Pages<Agent> {
  const client = useClient();
  return usePages(AGENTS, async (cursor, signal) =>
    client.listAgents({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

export function useAgent(id: string): UseQueryResult<Agent> {
  const client = useClient();
  return useQuery({ queryKey: ['agent', id], queryFn: async ({ signal }) => client.getAgent(id, { signal }) });
}

export function useCreateAgent(): UseMutationResult<Agent, Error, CreateAgentRequest> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: CreateAgentRequest) => client.createAgent(request),
    onSuccess: () => refreshQueries(queries, { queryKey: AGENTS }),
  });
}

export function useUpdateAgent(id: string): UseMutationResult<Agent, Error, UpdateAgentRequest> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: UpdateAgentRequest) => client.updateAgent(id, change),
    onSuccess: (agent) => {
      queries.setQueryData(['agent', id], agent);
      refreshQueries(queries, { queryKey: AGENTS });
    },
  });
}

export function useDeleteAgent(): UseMutationResult<void, Error, Agent> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Agent) => client.deleteAgent(id),
    onSuccess: () => refreshQueries(queries, { queryKey: AGENTS }),
  });
}

export function usePromptPreview(id: string): UseMutationResult<PromptPreview, Error, PromptPreviewRequest> {
  const client = useClient();
  return useMutation({ mutationFn: async (request: PromptPreviewRequest) => client.previewPrompt(id, request) });
}
