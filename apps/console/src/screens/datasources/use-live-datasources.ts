import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/client-context.js';
import { retryWhileUnavailable } from '../../api/retry-while-unavailable.js';
import { trimAndRefreshLists } from '../../api/long-lists.js';
import { useSessionStartTime } from '../../session/use-session.js';
import { createLiveEventWriter } from './apply-live-events.js';
import { getDatasourceListKey } from './use-datasources.js';

/** Updates the lists of the datasources of a datastore from live events. */
export function useLiveDatasources(datastoreId: string): void {
  const client = useClient();
  const queries = useQueryClient();
  const sessionStart = useSessionStartTime();
  useEffect(() => {
    const abort = new AbortController();
    const writer = createLiveEventWriter(queries, datastoreId);
    const watch = async (): Promise<void> => {
      for await (const event of client.watchDatastore(datastoreId, { signal: abort.signal })) {
        if (event.type === 'reset') {
          await reloadDatasourceLists(queries, datastoreId);
          continue;
        }
        writer.add(event);
      }
    };
    // An error that ends the stream needs no notice: the list itself shows the reason, such as a deleted datastore.
    retryWhileUnavailable(watch, abort.signal).catch(
      () => abort.signal.aborted || void reloadDatasourceLists(queries, datastoreId),
    );
    return () => {
      abort.abort();
      writer.stop();
    };
  }, [client, datastoreId, queries, sessionStart]);
}

/**
 * Reloads the lists of a datastore's datasources. First waits for the list requests in progress, because their
 * responses may be older than the live events.
 */
async function reloadDatasourceLists(queries: QueryClient, datastoreId: string): Promise<void> {
  const filter = { queryKey: getDatasourceListKey(datastoreId) };
  if (queries.isFetching(filter) > 0) await queries.refetchQueries(filter, { cancelRefetch: false });
  void trimAndRefreshLists(queries, filter);
}
