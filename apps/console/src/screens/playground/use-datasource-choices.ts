import type { Datasource } from '@quarry/client';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';

/** Loads the datasources of a datastore page by page. */
export function useDatasourceChoices(datastoreId: string): Pages<Datasource> {
  const client = useClient();
  return usePages(['datasources', 'choices', datastoreId], async (cursor, signal) =>
    client.listDatasources({ datastoreId, limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}
