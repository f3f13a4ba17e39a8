import type { Datasource } from '@quarry/client';
import { InfiniteQueryObserver, type InfiniteData } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from '../../api/create-query-client.js';
import { createLiveEventWriter } from './apply-live-events.js';
import { getDatasourceListKey } from './use-datasources.js';

const KEY = [...getDatasourceListKey('store'), {}];

interface Page {
  readonly items: readonly Datasource[];
  readonly next_cursor: string | null;
}

function createDatasource(id: string, status: Datasource['status'], updatedAt: string): Datasource {
  return { id, status, updatedAt } as Datasource; // the functions read no other field
}

const OLD_PAGE: Page = {
  items: [createDatasource('b', 'running', '10:00'), createDatasource('a', 'running', '10:00')],
  next_cursor: null,
};

/** Opens a list, whose refetch is answered with the old page when the test calls `respond`. */
async function openList() {
  const queries = createQueryClient();
  const response = Promise.withResolvers<Page>();
  const responses = [Promise.resolve(OLD_PAGE), response.promise];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: KEY,
    queryFn: async () => responses.shift() ?? OLD_PAGE,
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
  });
  onTestFinished(observer.subscribe(() => undefined));
  await observer.refetch({ cancelRefetch: false });
  const writer = createLiveEventWriter(queries, 'store');
  onTestFinished(() => writer.stop());
  const read = () =>
    queries
      .getQueryData<InfiniteData<Page>>(KEY)
      ?.pages.flatMap(({ items }) => items.map(({ id, status }) => `${id} ${status}`));
  return { queries, observer, writer, read, respond: () => response.resolve(OLD_PAGE) };
}

describe('live events of a datastore', () => {
  it('live events change and remove the datasources of a list', async () => {
    const { writer, read } = await openList();
    writer.add({ type: 'status', datasource: createDatasource('b', 'synched', '10:05') });
    writer.add({ type: 'removed', id: 'a', datastoreId: 'store' });
    await expect.poll(read).toEqual(['b synched']);
  });

  it('live events that arrive during a refetch still apply after its older response has replaced the list', async () => {
    const { queries, observer, writer, read, respond } = await openList();
    const refetched = observer.refetch();
    writer.add({ type: 'status', datasource: createDatasource('b', 'synched', '10:05') });
    writer.add({ type: 'removed', id: 'a', datastoreId: 'store' });
    await expect.poll(read).toEqual(['b synched']);
    respond();
    await refetched;
    expect(queries.isFetching()).toBe(0);
    await expect.poll(read).toEqual(['b synched']);
  });
});
