import type { CreateEvaluationRequest, Evaluation, EvaluationComparison, EvaluationDataset } from '@quarry/client';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useClient } from '../../api/client-context.js';
import { MAX_ITEMS_PER_RESPONSE, usePages, type Pages } from '../../api/use-pages.js';
import type { EvaluatedQuestion } from './judge-questions.js';

const EVALUATIONS = ['evaluations'] as const;
const BUSY_MS = 1_000;
const IDLE_MS = 15_000;
const PAGE_SIZE = 100;

/** Returns true while an evaluation waits or runs. */
export function isInProgress({ status }: Pick<Evaluation, 'status'>): boolean {
  return status === 'waiting' || status === 'running';
}

/**
 * Loads the evaluations page by page. Refreshes them at short intervals while one is in progress, and at long intervals
 * otherwise.
 */
export function useEvaluations(): Pages<Evaluation> {
  const client = useClient();
  return usePages(
    EVALUATIONS,
    async (cursor, signal) =>
      client.listEvaluations({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
    { refetchMs: (items) => (items.some(isInProgress) ? BUSY_MS : IDLE_MS) },
  );
}

/** Loads an evaluation. Refreshes it at short intervals while it is in progress. */
export function useEvaluation(id: string): UseQueryResult<Evaluation> {
  const client = useClient();
  return useQuery({
    queryKey: [...EVALUATIONS, id],
    queryFn: async ({ signal }) => client.getEvaluation(id, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isInProgress(state.data) ? BUSY_MS : false),
  });
}

/** Loads all questions of an evaluation, and loads them again when the number of complete questions has changed. */
export function useEvaluatedQuestions(
  evaluation: Evaluation | undefined,
): UseQueryResult<readonly EvaluatedQuestion[]> {
  const client = useClient();
  const id = evaluation?.id ?? '';
  return useQuery({
    queryKey: [...EVALUATIONS, id, 'questions', evaluation?.ended],
    enabled: evaluation !== undefined,
    queryFn: async ({ signal }) =>
      Array.fromAsync(client.listEvaluationQuestions(id, { limit: PAGE_SIZE }, { signal })),
    // While further questions are loaded, the earlier ones of the same evaluation are shown.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    staleTime: Infinity,
  });
}

/** Loads the ended evaluations with the same dataset as an evaluation, newest first, without the evaluation itself. */
export function useComparableEvaluations({ id, datasetId }: Evaluation): UseQueryResult<readonly Evaluation[]> {
  const client = useClient();
  return useQuery({
    queryKey: [...EVALUATIONS, id, 'comparable'],
    queryFn: async ({ signal }) => {
      const all = await Array.fromAsync(client.listEvaluations({ limit: MAX_ITEMS_PER_RESPONSE }, { signal }));
      return all.filter((other) => other.datasetId === datasetId && other.id !== id && !isInProgress(other));
    },
    refetchInterval: IDLE_MS,
  });
}

/** Loads the comparison of two evaluations. */
export function useEvaluationComparison(id: string, withId: string): UseQueryResult<EvaluationComparison> {
  const client = useClient();
  return useQuery({
    queryKey: [...EVALUATIONS, id, 'comparison', withId],
    queryFn: async ({ signal }) => client.compareEvaluations(id, withId, { signal }),
  });
}

/** A datastore or an agent that an evaluation can measure. */
export interface Target {
  readonly kind: 'datastore' | 'agent';
  readonly id: string;
  readonly name: string;
}

/** Loads the datastores and agents that an evaluation can measure, newest first. */
export function useEvaluationTargets(): UseQueryResult<readonly Target[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['evaluation-targets'],
    queryFn: async ({ signal }) => {
      const [datastores, agents] = await Promise.all([
        Array.fromAsync(client.listDatastores({ limit: PAGE_SIZE }, { signal })),
        Array.fromAsync(client.listAgents({ limit: PAGE_SIZE }, { signal })),
      ]);
      return [
        ...datastores.map(({ id, name }) => ({ kind: 'datastore' as const, id, name })),
        ...agents.map(({ id, name }) => ({ kind: 'agent' as const, id, name })),
      ];
    },
  });
}

/** Loads the stored datasets, newest first. */
export function useDatasets(): UseQueryResult<readonly EvaluationDataset[]> {
  const client = useClient();
  return useQuery({
    queryKey: [...EVALUATIONS, 'datasets'],
    queryFn: async ({ signal }) => Array.fromAsync(client.listEvaluationDatasets({ limit: PAGE_SIZE }, { signal })),
  });
}

/** Starts an evaluation. */
export function useCreateEvaluation(): UseMutationResult<Evaluation, Error, CreateEvaluationRequest> {
  const client = useClient();
  return useEvaluationMutation(async (request) => client.createEvaluation(request));
}

/** Cancels an evaluation. The results of its complete questions remain. */
export function useCancelEvaluation(): UseMutationResult<Evaluation, Error, string> {
  const client = useClient();
  return useEvaluationMutation(async (id) => client.cancelEvaluation(id));
}

/** Deletes an evaluation. */
export function useDeleteEvaluation(): UseMutationResult<void, Error, string> {
  const client = useClient();
  return useEvaluationMutation(async (id) => client.deleteEvaluation(id));
}

function useEvaluationMutation<Request, Result>(
  change: (request: Request) => Promise<Result>,
): UseMutationResult<Result, Error, Request> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => refreshQueries(queries, { queryKey: EVALUATIONS }),
  });
}
