import type { Datasource } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { canRefreshWholeQuery } from '../../api/long-lists.js';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useToasts } from '../../components/toasts.js';
import type { Language } from '../../language/define-messages.js';
import { createFormats } from '../../language/formats.js';
import { getServerTexts } from '../../language/server-texts.js';
import { runForEachItem, type Failure } from './run-for-each-item.js';
import { datasourcesMessages } from './messages.js';

/** Maximum number of concurrent requests that sync datasources or cancel runs. */
const PARALLEL = 4;

export type DatasourceActionKind = 'sync' | 'cancel';

interface Action {
  readonly kind: DatasourceActionKind;
  readonly ids: readonly string[];
}

/**
 * Returns a mutation that syncs datasources or cancels their runs. At its end, the mutation shows a toast with the
 * numbers of successful and refused requests.
 */
export function useDatasourceActions(): UseMutationResult<readonly Failure<string>[], Error, Action> {
  const client = useClient();
  const queries = useQueryClient();
  const { showToast } = useToasts();
  return useMutation({
    mutationFn: async ({ kind, ids }: Action) =>
      runForEachItem(ids, { limit: PARALLEL }, async (id) => {
        if (kind === 'sync') await client.syncDatasource(id);
        else await client.cancelDatasource(id);
      }),
    onSuccess: (failures, { kind, ids }) => {
      showToast({
        text: (language) => describeActionOutcome({ kind, count: ids.length, failures }, language),
        kind: failures.length === 0 ? 'success' : 'warning',
      });
      // Long lists are not loaded again: live events update them.
      refreshQueries(queries, { queryKey: ['datasources'], predicate: canRefreshWholeQuery });
    },
  });
}

interface Outcome {
  readonly kind: DatasourceActionKind;
  /** Number of datasources for which a request was sent, including refused requests. */
  readonly count: number;
  readonly failures: readonly Failure<string>[];
}

/** Describes how many requests were successful and how many were refused, with the reason of the first refusal. */
function describeActionOutcome({ kind, count, failures }: Outcome, language: Language): string {
  const messages = datasourcesMessages[language];
  const formats = createFormats(language);
  const forms =
    kind === 'sync'
      ? { one: messages.syncOne, other: messages.syncOther }
      : { one: messages.cancelOne, other: messages.cancelOther };
  const done = formats.plural(count - failures.length, forms);
  const [first] = failures;
  if (first === undefined) return done;
  const reason = getServerTexts(language).describeProblem(first.error);
  return `${done} ${messages.refused(formats.number(failures.length), reason)}`;
}

/** Returns true if the datasource has a run that waits or is in progress, and thus can be cancelled. */
export function hasOpenRun({ status }: Pick<Datasource, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
