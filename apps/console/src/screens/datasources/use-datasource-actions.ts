import type { Datasource } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { isRefreshable } from '../../api/long-lists.js';
import { useToasts } from '../../components/toasts.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { forEachBounded, type Failure } from './for-each-bounded.js';
import { datasourcesMessages } from './messages.js';

/** Maximum number of concurrent requests. */
const PARALLEL = 4;

export type DatasourceActionKind = 'sync' | 'cancel';

type DatasourcesMessages = typeof datasourcesMessages.en;

interface Action {
  readonly kind: DatasourceActionKind;
  readonly ids: readonly string[];
}

/** Syncs datasources or cancels their runs. Shows the number of refused requests and the reasons. */
export function useDatasourceActions(): UseMutationResult<readonly Failure<string>[], Error, Action> {
  const client = useClient();
  const queries = useQueryClient();
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const { showToast } = useToasts();
  const { describeProblem } = useServerTexts();
  return useMutation({
    mutationFn: async ({ kind, ids }: Action) =>
      forEachBounded(ids, { limit: PARALLEL }, async (id) => {
        if (kind === 'sync') await client.syncDatasource(id);
        else await client.cancelDatasource(id);
      }),
    onSuccess: async (failures, { kind, ids }) => {
      const [first] = failures;
      const done = formats.plural(ids.length - failures.length, describeDone(messages, kind));
      if (first === undefined) showToast({ text: done });
      else {
        const refused = messages.refused(formats.number(failures.length), describeProblem(first.error));
        showToast({ text: `${done} ${refused}`, kind: 'warning' });
      }
      // Long lists are not loaded again: live events update them.
      await queries.invalidateQueries({ queryKey: ['datasources'], predicate: isRefreshable });
    },
  });
}

/** Returns the singular and plural form of the sentence that counts the completed actions. */
function describeDone(messages: DatasourcesMessages, kind: DatasourceActionKind) {
  if (kind === 'sync') return { one: messages.syncOne, other: messages.syncOther };
  return { one: messages.cancelOne, other: messages.cancelOther };
}

/** Returns true if the datasource has a run that can be cancelled. */
export function hasOpenRun({ status }: Pick<Datasource, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
