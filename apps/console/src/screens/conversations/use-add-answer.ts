import type { Datasource } from '@quarry/client';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { RunFailure } from '../../language/run-failure.js';

/** A text that is added to a datastore as the answer to a question. */
export interface NewAnswer {
  readonly datastoreId: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Returns a mutation that adds an answer to a datastore and waits until the answer is indexed. The answer replaces an
 * earlier answer with the same name.
 */
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
