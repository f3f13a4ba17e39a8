import type { Datasource, QuarryClient } from '@quarry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ClientProvider } from '../../api/client-context.js';
import { createQueryClient } from '../../api/create-query-client.js';
import { getDatasourceKey, useDatasource, useHasSynchedDatasource } from './use-datasources.js';

function createDatasources(count: number, status: Datasource['status']): readonly Datasource[] {
  // The hook reads no other field.
  return Array.from({ length: count }, (_, at) => ({ id: `${status} ${at}`, status }) as Datasource);
}

/** Renders the result of the hook before and after the requests for a datastore with these datasources, newest first. */
async function renderBeforeAndAfterLoading(datasources: readonly Datasource[]): Promise<readonly string[]> {
  const queries = createQueryClient();
  const listDatasources = async (query: { readonly status?: string; readonly limit: number }) => {
    const matching = datasources.filter(({ status }) => query.status === undefined || status === query.status);
    const next_cursor = matching.length > query.limit ? 'next' : null;
    return Promise.resolve({ items: matching.slice(0, query.limit), next_cursor });
  };
  const Result = () => String(useHasSynchedDatasource('store'));
  const render = (): string => {
    const result = createElement(QueryClientProvider, { client: queries }, createElement(Result));
    // The client has only the method that the hook calls.
    const value = { listDatasources } as unknown as QuarryClient;
    return renderToStaticMarkup(createElement(ClientProvider, { value }, result));
  };
  const before = render();
  await Promise.all(
    queries
      .getQueryCache()
      .getAll()
      .map(async (query) => query.fetch()),
  );
  return [before, render()];
}

it('useHasSynchedDatasource finds an indexed datasource behind many newer ones that wait', async () => {
  const waiting = createDatasources(300, 'pending');
  expect(await renderBeforeAndAfterLoading([...waiting, ...createDatasources(1, 'synched')])).toEqual([
    'false',
    'true',
  ]);
  expect(await renderBeforeAndAfterLoading(waiting)).toEqual(['false', 'false']);
});

it('useDatasource keeps a live event that arrives during the request and is newer than the response', async () => {
  const queries = createQueryClient();
  const response = Promise.withResolvers<Datasource>();
  const client = { getDatasource: async () => response.promise };
  const Status = () => useDatasource('a').data?.status ?? 'unknown';
  const render = (): string => {
    const status = createElement(QueryClientProvider, { client: queries }, createElement(Status));
    // The client has only the method that the hook calls.
    return renderToStaticMarkup(createElement(ClientProvider, { value: client as unknown as QuarryClient }, status));
  };
  expect(render()).toBe('unknown');
  const loaded = queries
    .getQueryCache()
    .find({ queryKey: getDatasourceKey('a') })
    ?.fetch();
  queries.setQueryData(getDatasourceKey('a'), { id: 'a', status: 'synched', updatedAt: '10:05' });
  response.resolve({ id: 'a', status: 'running', updatedAt: '10:00' } as Datasource); // the hook reads no other field
  await loaded;
  expect(render()).toBe('synched');
});
