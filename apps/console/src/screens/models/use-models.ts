import type {
  LocalModels,
  ModelConnection,
  ModelConnectionFields,
  ModelConnections,
  ModelConnectionTest,
  ModelProvider,
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
import { useHasScope } from '../../session/use-session.js';

const MODELS = ['models'] as const;

/** The providers of language models, in the order in which the screen lists them. */
export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'openrouter',
  'deepseek',
  'custom',
] as const satisfies readonly ModelProvider[];

/** Loads the connections to providers of language models. Only operators have access. */
export function useModelConnections(): UseQueryResult<ModelConnections> {
  const client = useClient();
  return useQuery({
    queryKey: [...MODELS, 'connections'],
    queryFn: async ({ signal }) => client.getModelConnections({ signal }),
    enabled: useHasScope('operate'),
  });
}

/** Searches for an Ollama server on the machine of Quarry. Only operators have access. */
export function useLocalModels(): UseQueryResult<LocalModels> {
  const client = useClient();
  return useQuery({
    queryKey: [...MODELS, 'local'],
    queryFn: async ({ signal }) => client.findLocalModels({ signal }),
    enabled: useHasScope('operate'),
  });
}

/** A connection to a provider of language models, as entered in the form. */
export interface ConnectionDraft {
  readonly provider: ModelProvider;
  readonly fields: ModelConnectionFields;
}

/** Tests a connection and stores it if the model responds. The mutation resolves to the outcome of the test. */
export function useConnectModel(): UseMutationResult<ModelConnectionTest, Error, ConnectionDraft> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ provider, fields }: ConnectionDraft) => {
      const outcome = await client.testModelConnection(provider, fields);
      await client.setModelConnection(provider, fields);
      return outcome;
    },
    onSuccess: () => refreshQueries(queries, { queryKey: MODELS }),
  });
}

/** Deletes a stored connection with its key. */
export function useDisconnectModel(): UseMutationResult<void, Error, ModelConnection> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ provider }: ModelConnection) => client.deleteModelConnection(provider),
    onSuccess: () => refreshQueries(queries, { queryKey: MODELS }),
  });
}
