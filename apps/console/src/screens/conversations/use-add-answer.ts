import type { Datasource, Datastore } from '@quarry/client';
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { RunFailure } from '../../language/run-failure.js';

/** A text that is added to a datastore as the answer to a question. */
export interface NewAnswer {
  readonly datastoreId: string;
  readonly name: string;
  readonly text: string;
}

/** Adds a text to a datastore and waits until it is indexed. Replaces an earlier answer with the same name. */
export function useAddAnswer(): UseMutationResult<Datasource, Error, NewAnswer> {
  const client = useClient();
  return useMutation({
    mutationFn: async ({ datastoreId, name, text }: NewAnswer) => {
      const document = { text, name, metadata: { custom_id: `answer: ${name}` } };
      const { ids } = await client.upsertDocuments(datastoreId, [document]);
      const settled = await client.untilSettled(ids[0] ?? '');
      if (settled.status === 'synched') return settled;
      const { error, status } = settled;
      throw new RunFailure(error ?? { code: status, message: status });
    },
  });
}

/** Loads the datastores of an agent. Omits deleted datastores. */
export function useAgentDatastores(ids: readonly string[]): UseQueryResult<readonly Datastore[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['datastores', 'of an agent', ids],
    queryFn: async ({ signal }) => {
      const loaded = await Promise.all(
        ids.map(async (id) =>
          client.getDatastore(id, { signal }).catch((error: unknown) => {
            if (isNotFoundError(error)) return undefined;
            throw error;
          }),
        ),
      );
      return loaded.filter((datastore) => datastore !== undefined);
    },
  });
}
