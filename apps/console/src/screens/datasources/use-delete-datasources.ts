import type { Datasource, QuarryClient } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useState } from 'react';
import { useClient } from '../../api/client-context.js';
import { canRefreshWholeQuery } from '../../api/long-lists.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { useToasts } from '../../components/toasts.js';
import type { Language } from '../../language/define-messages.js';
import { createFormats } from '../../language/formats.js';
import { runForEachItem, type Failure } from './run-for-each-item.js';
import { datasourcesMessages } from './messages.js';

/** Maximum number of concurrent delete requests. */
const PARALLEL = 4;

export type DeletedDatasource = Pick<Datasource, 'id' | 'name'>;

/** A deletion of several datasources. */
interface Deletion {
  readonly datasources: readonly DeletedDatasource[];
  /** Controller that stops the deletion: no further request is sent. Requests in progress are not interrupted. */
  readonly abort: AbortController;
}

interface DeletionOutcome {
  /** The ids of the deleted datasources. */
  readonly deleted: readonly string[];
  readonly failures: readonly Failure<DeletedDatasource>[];
}

export interface DeletionEvents {
  /** Called after a deletion with the ids of the deleted datasources, unless none was deleted. */
  readonly onDeleted: (ids: readonly string[]) => void;
  /** Called when a deletion has ended without a failure, and when the user closes the dialog. */
  readonly onClose: () => void;
}

/** The state of the deletion in the dialog, and functions that control it. */
interface DialogDeletion {
  readonly remove: (datasources: readonly DeletedDatasource[]) => void;
  /** Stops the deletion if it is in progress; otherwise closes the dialog. */
  readonly close: () => void;
  readonly isPending: boolean;
  /** The datasources of the latest deletion. Empty before the first deletion. */
  readonly datasources: readonly DeletedDatasource[];
  /** Number of datasources of the latest deletion whose requests have ended, successfully or not. */
  readonly ended: number;
  /** The datasources of the latest deletion that could not be deleted, each with its error. */
  readonly failures: readonly Failure<DeletedDatasource>[];
  readonly error: Error | null;
}

/** Returns a function that deletes datasources with one request each, and the state of the deletion. */
export function useDeleteDatasources({ onDeleted, onClose }: DeletionEvents): DialogDeletion {
  const { showToast } = useToasts();
  const [ended, setEnded] = useState(0);
  const { mutate, isPending, data, error, variables, reset } = useDatasourceDeletion(setEnded);
  const showOutcome = ({ deleted, failures }: DeletionOutcome): void => {
    if (deleted.length > 0) {
      showToast({ text: (language) => describeDeletedCount(deleted.length, language) });
      onDeleted(deleted);
    }
    if (failures.length === 0) onClose();
  };
  return {
    remove: (datasources) => mutate({ datasources, abort: new AbortController() }, { onSuccess: showOutcome }),
    close: () => {
      if (isPending) {
        variables.abort.abort();
        return;
      }
      reset();
      onClose();
    },
    isPending,
    datasources: variables?.datasources ?? [],
    ended,
    failures: data?.failures ?? [],
    error,
  };
}

function describeDeletedCount(count: number, language: Language): string {
  const { removeDoneOne: one, removeDoneOther: other } = datasourcesMessages[language];
  return createFormats(language).plural(count, { one, other });
}

/**
 * Returns a mutation that deletes datasources.
 *
 * @param onEnded receives the number of requests that have ended, successfully or not; called first with 0, and then
 *   after each request
 */
function useDatasourceDeletion(onEnded: (count: number) => void): UseMutationResult<DeletionOutcome, Error, Deletion> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ datasources, abort }: Deletion) => {
      const deleted: string[] = [];
      let ended = 0;
      onEnded(ended);
      const failures = await runForEachItem(datasources, { limit: PARALLEL, signal: abort.signal }, async ({ id }) => {
        try {
          await deleteIfExists(client, id);
          deleted.push(id);
        } finally {
          ended += 1;
          onEnded(ended);
        }
      });
      return { deleted, failures };
    },
    // Long lists are not loaded again: live events update them.
    onSuccess: () => refreshQueries(queries, { queryKey: ['datasources'], predicate: canRefreshWholeQuery }),
  });
}

/**
 * Deletes a datasource. A missing datasource counts as deleted: an earlier request, whose response was lost, may have
 * deleted it.
 */
async function deleteIfExists(client: QuarryClient, id: string): Promise<void> {
  try {
    await client.deleteDatasource(id);
  } catch (error) {
    if (!isNotFoundError(error)) throw error;
  }
}
